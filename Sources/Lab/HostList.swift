import Diagnostics

/// The hosts that a lab has, as its file `hosts` lists them, in the format of /etc/hosts.
///
/// A host is listed once it is complete. What an interrupted `up` leaves is not, so the next `up` makes it anew.
struct HostList: Equatable {
    struct Entry: Equatable {
        var name: String
        var address: String
    }

    private(set) var entries: [Entry]

    /// The first `count` hosts that a lab can have.
    init(count: Int) {
        entries = (1...count).map { Entry(name: "pg\($0)", address: LabNetwork.address(ofHost: $0)) }
    }

    init(parsing text: String) {
        entries = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count == 2 ? Entry(name: String(fields[1]), address: String(fields[0])) : nil
        }
    }

    var text: String { entries.map { "\($0.address) \($0.name)\n" }.joined() }

    /// The hosts of this list that `other` lacks.
    func missing(from other: HostList) -> [Entry] { entries.filter { !other.entries.contains($0) } }

    /// Adds what `other` has and this list lacks.
    mutating func formUnion(_ other: HostList) { entries += other.missing(from: self) }

    /// - Throws: a diagnostic when no host has this name.
    func entry(named name: String) throws(Diagnostic) -> Entry {
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let names = entries.map(\.name)
        let all =
            names.isEmpty ? "it has none at all, run 'drover lab up'" : "the hosts are \(names.joined(separator: ", "))"
        let remedy = Suggestion.remedy(for: name, among: names) ?? all
        throw Diagnostic("the lab has no host '\(name)'", remedy: remedy)
    }
}
