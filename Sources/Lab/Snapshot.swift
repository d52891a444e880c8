import Diagnostics
import SystemPackage

/// What a lab was at one moment: the disks of its hosts, its keys, and what else lay in its folder.
///
/// It lies on the disk of this machine, and is complete in itself but for the image below it. A lab that is made from it reads
/// its layers where they are, which costs neither time nor memory, and writes only what it changes.
struct Snapshot {
    var name: String

    static let all: FilePath = "/var/cache/drover/lab/snapshots"

    /// Runs `body` while no other process adds or removes snapshots, or begins to use one.
    static func exclusively(_ body: () async throws -> Void) async throws {
        try await Files.withLock(on: all, body)
    }

    var folder: FilePath { Self.all.appending(name) }
    /// What lay in the folder of the lab beside the disks.
    var files: FilePath { folder.appending("files") }
    /// The disks of the hosts, one folder each, with a folder for each layer.
    var disks: FilePath { folder.appending("disks") }

    /// The image under the layers of all hosts, which is not part of the snapshot.
    var image: Image? { Files.target(of: files.appending("image")).map(Image.init) }

    var hosts: HostList {
        get throws { HostList(parsing: try Files.text(of: files.appending("hosts"))) }
    }

    var exists: Bool { Files.exist(folder) }

    static var names: [String] { Files.names(in: all).filter { !$0.hasSuffix(draftSuffix) }.sorted() }

    /// A snapshot's name has no dot, so no draft is taken for one.
    private static let draftSuffix = ".draft"

    /// What becomes the snapshot once it is complete.
    var draft: Snapshot { Snapshot(name: name + Self.draftSuffix) }

    /// The layers of a host's disk, the newest first; none of a host that the snapshot does not have.
    func layers(of host: String) -> [FilePath] { Self.layers(in: disks.appending(host)) }

    /// The layers in a folder, whose names are numbers that begin at 1 with the oldest.
    static func layers(in folder: FilePath) -> [FilePath] {
        Files.names(in: folder).compactMap { Int($0) }.sorted(by: >).map { folder.appending(String($0)) }
    }

    /// - Throws: a diagnostic when there is no such snapshot, or nothing under it.
    func checkIsWhole() throws(Diagnostic) {
        try checkExists()
        guard let image, Files.exist(image.root) else {
            throw Diagnostic(
                "the snapshot '\(name)' is of hosts whose Debian is no longer in \(Image.cache)",
                remedy: "run 'drover lab forget \(name)', and make it again")
        }
    }

    /// - Throws: a diagnostic when there is no such snapshot.
    func checkExists() throws(Diagnostic) {
        guard !exists else { return }
        let names = Self.names
        let all =
            names.isEmpty
            ? "there is none at all: 'drover lab snapshot \(name)' makes one of a lab"
            : "the snapshots are \(names.joined(separator: ", "))"
        throw Diagnostic(
            "there is no snapshot '\(name)'", remedy: Suggestion.remedy(for: name, among: names) ?? all)
    }

    /// - Throws: a diagnostic when the disks of a lab lie over this snapshot.
    func checkIsUnused() throws {
        for lab in Files.names(in: LabPlaces.allState) {
            let places = LabPlaces(name: lab)
            guard let used = Files.target(of: places.snapshot), used == folder else { continue }
            throw Diagnostic(
                "the lab '\(lab)' uses the snapshot '\(name)'",
                remedy: "run 'drover lab down --name \(lab)' first, or use another name")
        }
    }
}
