import Crypto
import Diagnostics
import Engine
import FoundationEssentials
import Subprocess

/// A directory of Debian packages on this machine from which hosts get theirs, with all that these depend on, and from
/// nowhere else.
public struct PackageSupply: Hashable, Sendable {
    /// A file of the directory.
    struct Entry: Hashable, Sendable {
        let file: String
        let package: String
        let version: String
        let size: Int
        let digest: String
    }

    /// The supply of the run that is under way; nil when the hosts have repositories of their own.
    ///
    /// It is said on the command line, for all packages of whatever playbook.
    @TaskLocal public static var current: PackageSupply?

    let directory: String
    /// What apt has to know of the packages. Each has its place in `entries` for a name.
    let index: String
    let entries: [Entry]

    /// Reads what the packages of a directory say of themselves, with `dpkg-deb`.
    ///
    /// - Throws: `Diagnostic` when the directory cannot be read, or has no packages, or one that is none.
    public init(directory: String) async throws {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
            .filter { $0.hasSuffix(".deb") }
        guard !names.isEmpty else {
            throw Diagnostic(
                "--offline: there are no .deb files in '\(directory)'", remedy: "name a directory of packages")
        }
        let result = try await Subprocess.run(
            .name("sh"), arguments: Arguments(["-c", PackageSupply.reading, "sh", directory] + names),
            output: .string(limit: 1 << 26), error: .string(limit: 1 << 16))
        guard case .exited(0) = result.terminationStatus else {
            let words = result.standardError.linesOfText.last ?? "dpkg-deb failed"
            throw Diagnostic("--offline: the packages of '\(directory)' cannot be read: \(words)")
        }
        self.init(directory: directory, names: names, listing: result.standardOutput)
    }

    /// - Parameter listing: what the script prints for these files.
    init(directory: String, names: [String], listing: String) {
        var entries: [Entry] = []
        var index = ""
        let paragraphs = listing.split(separator: "\u{1e}\n", omittingEmptySubsequences: false).dropFirst()
        for (name, paragraph) in zip(names, paragraphs) {
            var fields: [String: String] = [:]
            for line in String(paragraph).linesOfText {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { fields[String(parts[0])] = String(parts[1].drop { $0 == " " }) }
            }
            index += "Filename: ./\(entries.count).deb\n\(paragraph)\n"
            entries.append(
                Entry(
                    file: "\(directory)/\(name)", package: fields["Package"] ?? "",
                    version: fields["Version"] ?? "",
                    size: fields["Size"].flatMap { Int($0) } ?? 0, digest: fields["SHA256"] ?? ""))
        }
        self.directory = directory
        self.index = index
        self.entries = entries
    }

    /// Recommendations and descriptions do not matter.
    private static let reading = #"""
        cd -- "$1" && shift
        for file; do
            printf '\036\n'
            dpkg-deb --field "./$file" Package Version Architecture Multi-Arch Essential Pre-Depends Depends Provides \
                Conflicts Breaks Replaces Installed-Size || exit 1
            digest=$(sha256sum <"$file")
            printf 'Size: %s\nSHA256: %s\n' "$(stat -c %s "./$file")" "${digest%% *}"
        done
        """#

    /// Where the packages of a transaction stand on a host while they are installed.
    static let folder = "/var/cache/drover/packages"

    /// The newest version of a package that it has.
    public func version(of package: String) -> String? {
        entries.filter { $0.package == package }.map { PackageVersion($0.version) }.max()?.description
    }

    func delivery(_ number: Int) -> Delivery {
        let entry = entries[number]
        return Delivery(
            entry.file, to: "\(PackageSupply.folder)/\(entry.digest.prefix(16)).deb", size: entry.size,
            digest: entry.digest)
    }
}
