import Inventory
import YAML

/// Variables that postgresql_cluster (autobase) has and a cluster does not read. What is understood is known by the decoder
/// alone: it is asked first, so that a variable which it learns needs no change here.
enum ForeignVariables {
    struct Entry: Sendable {
        /// Names, with blanks between them; `*` stands for the rest of a family.
        let names: String
        let demand: ForeignDemand
        /// Why nothing more than that is done.
        let reason: String

        init(_ names: String, _ demand: ForeignDemand, _ reason: String) {
            self.names = names
            self.demand = demand
            self.reason = reason
        }
    }

    /// Whether a name is known to be one of postgresql_cluster, however much it looks like another one: it is written
    /// out in an entry. What only a family would take may as well be a slip of the pen.
    static func isKnown(_ name: String) -> Bool { written[name] != nil }

    /// The entry of a variable of postgresql_cluster; nil for a name that it does not have.
    static func entry(for name: String) -> Entry? {
        written[name] ?? families.first { matches(name, $0.name) }?.entry
    }

    private static let named: [(name: Substring, entry: Entry)] = entries.flatMap { entry in
        entry.names.split(whereSeparator: \.isWhitespace).map { (name: $0, entry: entry) }
    }

    private static let written: [String: Entry] = Dictionary(
        named.filter { !$0.name.contains("*") }.map { (String($0.name), $0.entry) },
        uniquingKeysWith: { first, _ in first })

    private static let families = named.filter { $0.name.contains("*") }

    private static func matches(_ name: String, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last else { return false }
        guard name.hasPrefix(first), name.hasSuffix(last), name.count >= pattern.count - parts.count + 1 else {
            return false
        }
        return parts.dropFirst().dropLast().allSatisfy { name.contains($0) }
    }
}
