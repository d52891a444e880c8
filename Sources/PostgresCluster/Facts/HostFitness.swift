import Engine

/// What a host is made of, as far as it decides whether a database of other hosts can live there.
struct HostFitness: Fact {
    struct Answer: Hashable, Sendable {
        /// `glibc 2.36`: its collations order the indexes of texts.
        var library = ""
        /// Bytes that are free where the data directory is, or will be.
        var free = 0
        /// Bytes of that file system that are used or free; some are neither, but kept for root.
        var size = 0
        /// The version of the package that is installed, or else would be: `15.14-0+deb12u1`; nil while the host knows none.
        var version: String?
        /// Bytes of memory; 0 when the host does not tell.
        var memory = 0
        /// How many files a process may open; nil when there is no limit.
        var openFiles: Int?
        /// What the first process is: `systemd`.
        var initialProcess = ""
    }

    let directory: String
    /// Nil where its version does not matter: to look for it takes a while.
    let package: String?

    static func script(for questions: [HostFitness]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            echo "library $(getconf GNU_LIBC_VERSION 2>/dev/null)"
            directory=\(quoting: question.directory)
            until [ -d "$directory" ]; do directory=${directory%/*} && directory=${directory:-/}; done
            echo "free $(df --block-size=1 --output=avail,used "$directory" 2>/dev/null | tail -n 1)"
            \(question.package.map(policy) ?? ":")
            while read -r key value _; do [ "$key" != MemTotal: ] || echo "memory $value"; done </proc/meminfo
            while read -r _ _ item _ hard _; do [ "$item" != files ] || echo "files $hard"; done </proc/1/limits
            read -r initial </proc/1/comm
            echo "initial $initial"
            """
        }.joined(separator: "\n")
    }

    private static func policy(of package: String) -> ShellText {
        "LC_ALL=C apt-cache policy \(quoting: package) 2>/dev/null "
            + #"| sed -n 's/^  \(Installed\|Candidate\): /version /p'"#
    }

    static func answers(to questions: [HostFitness], from output: String) throws -> [HostFitness: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let value = (words.count > 1 ? words[1] : "").trimmingBlanks
            let last = answers.count - 1
            switch words.first {
            case "library" where last >= 0: answers[last].library = value
            case "free" where last >= 0:
                let numbers = value.split(separator: " ").compactMap { Int(quantity: $0) }
                answers[last].free = numbers.first ?? 0
                answers[last].size = numbers.reduce(0, +)
            case "version" where last >= 0:
                // What is installed comes first.
                if answers[last].version == nil, value != "(none)" { answers[last].version = value }
            case "memory" where last >= 0: answers[last].memory = (Int(quantity: value) ?? 0) * 1024
            case "files" where last >= 0: answers[last].openFiles = Int(value)
            case "initial" where last >= 0: answers[last].initialProcess = value
            default: throw UnreadableAnswer(HostFitness.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(HostFitness.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// The free space changes all the time.
    static func essence(of answer: Answer) -> String {
        "\(answer.library) \(answer.version ?? "")"
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
