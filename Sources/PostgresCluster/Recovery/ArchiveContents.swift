import Engine

/// Which stretches of the log the archive has, and how the timelines branch off each other. The answer is nil when the host
/// does not reach the repository.
struct ArchiveContents: Fact {
    struct Contents: Hashable, Sendable {
        /// By timeline, the names of the first and the last segment.
        var segments: [Int: Range] = [:]
        /// By timeline, where it and those before it began, from the first on.
        var branches: [Int: [Branch]] = [:]

        struct Range: Hashable, Sendable {
            var first: String
            var last: String
        }
    }

    /// Where a timeline was left for the next one.
    struct Branch: Hashable, Sendable {
        var timeline: Int
        var end: LogPosition
        /// In the words of PostgreSQL: `before 2026-11-22 15:04:05.1+00`, `no recovery target specified`.
        var reason: String

        init(timeline: Int, end: LogPosition, reason: String) {
            self.timeline = timeline
            self.end = end
            self.reason = reason
        }

        /// - Parameter line: of a history file.
        /// - Returns: nil for a line that is none.
        init?(line: String) {
            let fields = line.split(separator: "\t", maxSplits: 2)
            guard fields.count > 1, let timeline = Int(fields[0]), let end = LogPosition(fields[1]) else { return nil }
            self.init(timeline: timeline, end: end, reason: fields.count > 2 ? String(fields[2]) : "")
        }
    }

    let stanza: String

    /// A repository that is away is tried again and again; nobody waits so long for an answer.
    private static let patience = 30

    static func script(for questions: [ArchiveContents]) -> ShellText {
        questions.map { question -> ShellText in
            let ask: ShellText =
                "runuser -u postgres -- timeout \(patience) pgbackrest \(quoting: "--stanza=\(question.stanza)")"
            let archive = ShellText.quoting("archive/\(question.stanza)")
            return """
                echo question
                if list=$(\(ask) repo-ls --recurse \(archive) 2>/dev/null); then
                    echo reached
                    printf '%s\\n' "$list" | sed -n 's|^.*/\\([0-9A-F]\\{24\\}\\)-[0-9a-f]\\{40\\}.*|\\1|p' | sort \\
                        | awk '{ t = substr($0, 1, 8); if (t != last) print "first", $0; last = t; name[t] = $0 }
                            END { for (t in name) print "last", name[t] }'
                    printf '%s\\n' "$list" | sed -n 's|^\\(.*/\\)\\([0-9A-F]\\{8\\}\\)\\.history$|\\1 \\2|p' | while read -r folder name; do
                        echo "history $name"
                        \(ask) repo-get \(archive)/"$folder$name.history" </dev/null 2>/dev/null | sed -n 's/^[0-9]/branch &/p'
                    done
                fi
                """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [ArchiveContents], from output: String) throws -> [ArchiveContents: Contents?] {
        var answers: [Contents?] = []
        var history = 0
        for line in output.linesOfText {
            if line == "question" {
                answers.append(nil)
                continue
            }
            guard let last = answers.indices.last else { throw UnreadableAnswer(ArchiveContents.self, line) }
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.last) {
            case ("reached", _): answers[last] = Contents()
            case ("first", let name?):
                guard let segment = LogSegment(name) else { throw UnreadableAnswer(ArchiveContents.self, line) }
                answers[last]?.segments[segment.timeline] = .init(first: name, last: name)
            case ("last", let name?):
                guard let segment = LogSegment(name) else { throw UnreadableAnswer(ArchiveContents.self, line) }
                answers[last]?.segments[segment.timeline]?.last = name
            case ("history", let name?):
                guard let timeline = Int(name, radix: 16) else { throw UnreadableAnswer(ArchiveContents.self, line) }
                history = timeline
                answers[last]?.branches[timeline] = []
            case ("branch", let text?):
                guard let branch = Branch(line: text) else { throw UnreadableAnswer(ArchiveContents.self, line) }
                answers[last]?.branches[history]?.append(branch)
            default: throw UnreadableAnswer(ArchiveContents.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(ArchiveContents.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// The archive grows all the time; a plan rests on its being there.
    static func essence(of answer: Contents?) -> String { "\(answer != nil)" }
}
