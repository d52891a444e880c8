import Engine

/// Which packages have brought libraries and extensions of PostgreSQL to a host, besides PostgreSQL itself.
struct ExtensionPackages: Fact {
    /// The major version of PostgreSQL.
    let version: Int

    static func script(for questions: [ExtensionPackages]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            dpkg-query --search '/usr/lib/postgresql/\(question.version)/lib/*.so' \\
                '/usr/share/postgresql/\(question.version)/extension/*.control' 2>/dev/null \\
                | sed 's/: .*//; s/, /\\n/g; s/:[a-z0-9]*$//' | sort -u | grep -vx 'postgresql-\(question.version)'
            """
        }.joined(separator: "\n")
    }

    static func answers(
        to questions: [ExtensionPackages], from output: String
    ) throws -> [ExtensionPackages: Set<String>] {
        var answers: [Set<String>] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append([])
            } else if answers.isEmpty {
                throw UnreadableAnswer(ExtensionPackages.self, line)
            } else {
                answers[answers.count - 1].insert(line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(ExtensionPackages.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
