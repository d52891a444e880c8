public import Drover
public import Secrets

/// Whether a shell text that changes nothing ends with status 0.
public struct CommandSuccess: Fact {
    public let script: MaskedText

    /// - Parameter script: its outputs are thrown away. Its secrets are in no list of processes.
    public init(_ script: MaskedText) {
        self.script = script
    }

    /// Each is read by `eval` in a subshell of its own, so that what is wrong in one, even a word that makes no sense to
    /// the shell, is no matter of the others. The shell itself starts no program for it.
    public static func script(for questions: [CommandSuccess]) -> String {
        questions.map { question in
            "if ( eval \(Shell.quote(question.script.reveal())) ) >/dev/null 2>&1; then echo yes; else echo no; fi"
        }.joined(separator: "\n")
    }

    public static func answers(to questions: [CommandSuccess], from output: String) throws -> [CommandSuccess: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(CommandSuccess.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}
