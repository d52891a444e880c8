import Drover

/// How many files a running daemon may open; nil while it does not run.
struct OpenFilesLimit: Fact {
    /// Its name in the process table.
    let program: String
    /// The file with its process identifier.
    let identifierFile: String

    /// The shell itself reads the files: a converged host starts as few programs as can be.
    static func script(for questions: [OpenFilesLimit]) -> String {
        """
        limit() {
            read -r pid <"$2" && read -r name <"/proc/$pid/comm" && [ "$name" = "$1" ] || return 0
            while read -r _ _ item soft _; do [ "$item" != files ] || echo "files $soft"; done <"/proc/$pid/limits"
        }

        """
            + questions.map { "echo question\nlimit \(Shell.words([$0.program, $0.identifierFile])) 2>/dev/null" }
            .joined(separator: "\n")
    }

    static func answers(to questions: [OpenFilesLimit], from output: String) throws -> [OpenFilesLimit: Int?] {
        var answers: [Int?] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(nil)
                continue
            }
            let words = line.split(separator: " ")
            guard !answers.isEmpty, words.count == 2, words[0] == "files" else {
                throw UnreadableAnswer(OpenFilesLimit.self, line)
            }
            answers[answers.count - 1] = words[1] == "unlimited" ? .max : Int(words[1])
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(OpenFilesLimit.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
