/// Which of the hosts of a pattern are meant: `[0]`, `[-1]`, `[0:2]`, `[1:]`.
struct HostSubscript: Sendable {
    private let first: Int
    /// Inclusive; nil means to the end.
    private let last: Int?

    /// Takes the subscript off a pattern.
    ///
    /// - Returns: what is before it, and the subscript; nil when there is none.
    static func split(_ pattern: String) throws(HostRange.Fault) -> (base: String, HostSubscript?) {
        guard let match = pattern.wholeMatch(of: /(.+)\[(?:(-?[0-9]+)|([0-9]+)([:-])([0-9]*))\]/) else {
            return (pattern, nil)
        }
        let (_, base, single, from, separator, to) = match.output
        if let single { return (String(base), HostSubscript(first: try number(single), last: try number(single))) }
        let first = try number(from ?? "")
        let last = (to ?? "").isEmpty ? nil : try number(to ?? "")
        guard separator == ":" else {
            throw HostRange.Fault(
                message: "has no subscript of Ansible's", remedy: "write [\(first):\(last.map(String.init) ?? "")]")
        }
        if let last, last < first { throw HostRange.Fault(message: "ends before it begins") }
        return (String(base), HostSubscript(first: first, last: last))
    }

    /// Those of `all` that are meant; none when there are not so many.
    func elements(of all: [String]) -> [String] {
        if first < 0 { return all.count + first >= 0 ? [all[all.count + first]] : [] }
        return Array(all.prefix((last ?? all.count) + 1).dropFirst(first))
    }

    private static func number(_ digits: Substring) throws(HostRange.Fault) -> Int {
        guard let number = Int(digits), abs(number) < HostRange.greatestCount else {
            throw HostRange.Fault(message: "counts further than any inventory does")
        }
        return number
    }
}
