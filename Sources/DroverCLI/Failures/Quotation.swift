/// What a step has printed on a host, and on which others it has printed the like.
struct Quotation: Hashable, Sendable {
    let lines: [String]
    /// Those that have printed exactly this.
    private(set) var hosts: [String]
    /// Those that have printed nearly this.
    private(set) var similarHosts: [String] = []

    init(_ lines: [String], on host: String) {
        self.lines = lines
        hosts = [host]
    }

    /// Which share of the lines must be the same, so that to read them once is enough.
    private static let leastShare = 0.5

    /// Programs tell times, process ids and addresses in what they print: numbers do not make it something else.
    func isLike(_ other: Quotation) -> Bool {
        if lines == other.lines { return true }
        let (left, right) = (essence, other.essence)
        return Double(left.intersection(right).count) >= Self.leastShare * Double(max(left.count, right.count))
    }

    /// The words of each line, but those that have a digit or are the host's own name.
    private var essence: Set<[Substring]> {
        func words(_ text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }
        let name = Set(words(hosts.first ?? ""))
        return Set(lines.map { words($0).filter { !name.contains($0) && !$0.contains(where: \.isNumber) } })
    }

    /// Takes the hosts of one that is like this one.
    mutating func join(_ other: Quotation) {
        if lines == other.lines { hosts += other.hosts } else { similarHosts += other.hosts }
        similarHosts += other.similarHosts
    }

    /// `on pg1 pg2, and nearly so on pg3`; empty when all of `all` have printed exactly this.
    func place(among all: [String]) -> String {
        if hosts == all { return "" }
        let similar = similarHosts.isEmpty ? "" : ", and nearly so on \(similarHosts.joined(separator: " "))"
        return " on \(hosts.joined(separator: " "))\(similar)"
    }
}
