import Engine

/// Who listens at which TCP port of a host.
struct Listeners: Fact {
    struct Listener: Hashable, Sendable {
        var address: String
        var port: Int
        /// The name of the process; empty when it cannot be told.
        var program = ""
        /// The unit of systemd to which it belongs; empty when it belongs to none.
        var unit = ""

        /// Whether it keeps another one from listening at the same port of an address, or of all when that is nil.
        func isInTheWay(of address: String?) -> Bool {
            guard let address else { return true }
            return [address, "127.0.0.1", "0.0.0.0", "*", "[::]"].contains(self.address)
        }

        /// `python3 of blocker.service`.
        var who: String {
            switch (program.isEmpty, unit.isEmpty) {
            case (true, true): "somebody"
            case (true, false): unit
            case (false, true): program
            case (false, false): "\(program) of \(unit)"
            }
        }
    }

    /// Besides `ss`, no program is started: the shell itself reads to which unit a process belongs.
    static func script(for questions: [Listeners]) -> ShellText {
        #"""
        ss -Hltnp 2>/dev/null | while read -r _ _ _ address _ users; do
            pid=${users#*pid=} program=${users#*\"} group=
            pid=${pid%%,*} program=${program%%\"*}
            [ ! -r "/proc/$pid/cgroup" ] || while read -r line; do
                case $line in *.service*) group=$line ;; esac
            done <"/proc/$pid/cgroup"
            printf '%s|%s|%s\n' "$address" "$program" "$group"
        done
        """#
    }

    static func answers(to questions: [Listeners], from output: String) throws -> [Listeners: [Listener]] {
        let listeners = try output.linesOfText.map { line in
            let fields = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let colon = fields[0].lastIndex(of: ":"),
                let port = Int(fields[0][fields[0].index(after: colon)...])
            else { throw UnreadableAnswer(Listeners.self, line) }
            // An address that belongs to an interface stands as `ADDRESS%INTERFACE`.
            let address = fields[0][..<colon].prefix { $0 != "%" }
            let unit = fields[2].split(separator: "/").last { $0.hasSuffix(".service") }
            return Listener(
                address: String(address), port: port, program: String(fields[1]), unit: unit.map(String.init) ?? "")
        }
        return [Listeners(): listeners]
    }
}
