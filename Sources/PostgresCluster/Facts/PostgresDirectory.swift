public import Engine

/// What stands in the data directory of a member.
public struct PostgresDirectory: Fact {
    /// The content of a data directory.
    public enum Answer: Hashable, Sendable {
        /// There is no such directory, or nothing in it.
        case empty
        /// A database system with this identifier.
        case initialised(systemIdentifier: String)
        /// Something that is no database system, or one that `pg_controldata` cannot read.
        case unreadable
    }

    public let path: String
    private let binaryDirectory: String

    public init(_ path: String, binaryDirectory: String) {
        self.path = path
        self.binaryDirectory = binaryDirectory
    }

    public static func script(for questions: [PostgresDirectory]) -> ShellText {
        questions.map { question -> ShellText in
            """
            directory=\(quoting: question.path)
            if [ -e "$directory/global/pg_control" ]; then
                \(quoting: question.binaryDirectory + "/pg_controldata") -D "$directory" 2>/dev/null | {
                    found=unreadable
                    while IFS=: read -r key value; do
                        [ "$key" != "Database system identifier" ] || found="system ${value##* }"
                    done
                    echo "$found"
                }
            elif [ -d "$directory" ] && for entry in "$directory"/* "$directory"/.[!.]*; do
                [ ! -e "$entry" ] || break
                false
            done; then
                echo unreadable
            else
                echo empty
            fi
            """
        }.joined(separator: "\n")
    }

    public static func answers(
        to questions: [PostgresDirectory], from output: String
    ) throws -> [PostgresDirectory: Answer] {
        let lines = output.linesOfText
        guard lines.count == questions.count else { throw UnreadableAnswer(PostgresDirectory.self, output) }
        return try Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, line in
                let words = line.split(separator: " ")
                switch (words.first, words.count) {
                case ("empty", 1): return (question, .empty)
                case ("unreadable", 1): return (question, .unreadable)
                case ("system", 2): return (question, .initialised(systemIdentifier: String(words[1])))
                default: throw UnreadableAnswer(PostgresDirectory.self, line)
                }
            })
    }
}
