import Diagnostics
import SystemPackage

/// The disks of all labs, which share half of this machine's memory.
struct LabDisks: Equatable {
    struct Use: Equatable {
        var lab: String
        var bytes: Int
    }

    /// Bytes that all labs together may use.
    var limit: Int
    var uses: [Use]

    /// What a host writes while it boots, in bytes, and a little more.
    static let hostMinimum = 16 << 20

    /// The bytes that no lab uses.
    var free: Int { max(0, limit - uses.reduce(0) { $0 + $1.bytes }) }

    /// The disks of the labs that there are now.
    ///
    /// - Parameter excluded: a lab that is about to be made anew, whose disks do not count.
    static func now(without excluded: String? = nil) -> LabDisks {
        let uses = Files.names(in: LabPlaces.allState).filter { $0 != excluded }.sorted().compactMap { lab in
            Kernel.bytesInUse(at: LabPlaces(name: lab).state).map { Use(lab: lab, bytes: $0) }
        }
        return LabDisks(limit: Kernel.memory / 2, uses: uses)
    }

    /// - Throws: a diagnostic when so many more hosts could not even boot.
    func checkRoom(forHosts count: Int) throws(Diagnostic) {
        guard free < count * Self.hostMinimum else { return }
        let labs = uses.sorted { $0.bytes > $1.bytes }.map { "\($0.lab) \(Self.text($0.bytes))" }
        throw Diagnostic(
            "the disks of labs may use \(Self.text(limit)), half of the memory, and \(Self.text(free)) is free: "
                + "too little for \(count == 1 ? "a host" : "\(count) hosts") more"
                + (labs.isEmpty ? "" : " (\(labs.joined(separator: ", ")))"),
            remedy: labs.isEmpty ? "ask for fewer hosts" : "remove a lab with 'drover lab down --name NAME'")
    }

    private static func text(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MB" }
}
