import Engine

/// The priority that a balancer has among those that may hold the address, as its `keepalived.conf` says.
struct KeepalivedPriority: Fact {
    static let path = "/etc/keepalived/keepalived.conf"

    /// The shell itself reads; no program is started.
    static func script(for questions: [KeepalivedPriority]) -> ShellText {
        """
        [ ! -r \(quoting: path) ] || while read -r key value; do [ "$key" != priority ] || echo "$value"; done <\(quoting: path)
        """
    }

    /// The answer is nil where there is no such file, or one that names none or several.
    static func answers(
        to questions: [KeepalivedPriority], from output: String
    ) throws -> [KeepalivedPriority: Int?] {
        let lines = output.linesOfText
        return [KeepalivedPriority(): lines.count == 1 ? Int(lines[0]) : nil]
    }

    /// Which priority each balancer shall have. One that has its own keeps it, wherever the inventory names it: to change it
    /// could move the address. A new one comes after all others.
    ///
    /// - Parameters:
    ///   - names: in the order of the inventory.
    ///   - present: what was found.
    /// - Returns: 1 to 254, each only once. Of two equal ones the higher address would win, and move what need not move.
    static func distribution(among names: [String], present: [String: Int]) -> [String: Int] {
        var result: [String: Int] = [:]
        for name in names {
            guard let own = present[name], (1...254).contains(own), !result.values.contains(own) else { continue }
            result[name] = own
        }
        for name in names where result[name] == nil {
            let free = (1...254).reversed().filter { !result.values.contains($0) }
            let limit = result.values.min() ?? 151
            result[name] = free.first { $0 < limit } ?? free.first
        }
        return result
    }
}
