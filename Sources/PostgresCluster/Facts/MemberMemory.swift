import Engine

/// How much memory a host has, and what its Patroni's file says of that already.
struct MemberMemory: Fact {
    struct Answer: Hashable, Sendable {
        /// In bytes, of the host or of the container that it is; 0 when it does not tell.
        var size = 0
        /// The parameters that were derived from it; nil where there is no file yet.
        var derived: [ClusterConfiguration.Parameter]?
    }

    /// What stands behind them in the file.
    static let mark = "# of the host's memory"

    /// The shell itself reads; no program is started.
    static func script(for questions: [MemberMemory]) -> ShellText {
        """
        while read -r key value _; do [ "$key" != MemTotal: ] || echo "total $value"; done </proc/meminfo
        [ ! -r /sys/fs/cgroup/memory.max ] || { read -r limit </sys/fs/cgroup/memory.max && echo "limit $limit"; }
        [ ! -r \(quoting: Cluster.patroniFile) ] || {
            echo file
            while read -r name value mark; do
                [ "$mark" != \(quoting: mark) ] || echo "derived $name $value"
            done <\(quoting: Cluster.patroniFile)
        }
        :
        """
    }

    static func answers(to questions: [MemberMemory], from output: String) throws -> [MemberMemory: Answer] {
        var answer = Answer()
        for line in output.linesOfText {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count) {
            case ("total", 2): answer.size = (Int(quantity: words[1]) ?? 0) * 1024
            case ("limit", 2): answer.size = Int(words[1]).map { min($0, answer.size) } ?? answer.size
            case ("file", 1): answer.derived = []
            case ("derived", 3):
                let value = words[2].filter { $0 != "'" }
                answer.derived?.append(.init(name: String(words[1].prefix { $0 != ":" }), value: value))
            default: throw UnreadableAnswer(MemberMemory.self, line)
            }
        }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, answer) })
    }

    /// A kernel that was updated keeps a little more or less for itself.
    static func essence(of answer: Answer) -> String {
        (answer.derived ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}
