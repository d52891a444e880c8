public import Engine

/// Whether a shell text that changes nothing ends with status 0.
public struct CommandSuccess: Fact {
    public let script: ShellText

    /// - Parameter script: its outputs are thrown away. Its secrets are in no list of processes.
    public init(_ script: ShellText) {
        self.script = script
    }

    /// Each is read by `eval` in a subshell of its own, so that what is wrong in one, even a word that makes no sense to
    /// the shell, is no matter of the others. The shell itself starts no program for it.
    public static func script(for questions: [CommandSuccess]) -> ShellText {
        YesOrNo.script(questions.map { "( eval \(quoting: $0.script) ) >/dev/null 2>&1" })
    }

    public static func answers(to questions: [CommandSuccess], from output: String) throws -> [CommandSuccess: Bool] {
        try YesOrNo.answers(to: questions, from: output)
    }
}
