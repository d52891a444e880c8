/// Why variables that postgresql_cluster (autobase) has mean nothing here. What is understood is known by the decoder
/// alone: it is asked first, so that a variable which it learns needs no change here.
enum ForeignVariables {
    /// Whether a name is known to be one of postgresql_cluster, however much it looks like another one: it is written
    /// out among the reasons. What only a family would take may as well be a slip of the pen.
    static func isKnown(_ name: String) -> Bool { written[name] != nil }

    /// Why a variable of postgresql_cluster is not supported; nil for a name that it does not have.
    static func reason(for name: String) -> String? {
        written[name] ?? families.first { matches(name, $0.name) }?.reason
    }

    private static let entries: [(name: Substring, reason: String)] = reasons.flatMap { entry in
        entry.names.split(whereSeparator: \.isWhitespace).map { (name: $0, reason: entry.reason) }
    }

    private static let written: [String: String] = Dictionary(
        entries.filter { !$0.name.contains("*") }.map { (String($0.name), $0.reason) },
        uniquingKeysWith: { first, _ in first })

    private static let families = entries.filter { $0.name.contains("*") }

    private static func matches(_ name: String, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last else { return false }
        guard name.hasPrefix(first), name.hasSuffix(last), name.count >= pattern.count - parts.count + 1 else {
            return false
        }
        return parts.dropFirst().dropLast().allSatisfy { name.contains($0) }
    }
}
