public import Engine

/// Whether two paths lead to the same file, through links too. The shell itself finds out; no program is started.
public struct SameFile: Fact {
    public let path: String
    public let other: String

    public init(_ path: String, _ other: String) {
        self.path = path
        self.other = other
    }

    public static func script(for questions: [SameFile]) -> ShellText {
        YesOrNo.script(questions.map { "[ \(quoting: $0.path) -ef \(quoting: $0.other) ]" })
    }

    public static func answers(to questions: [SameFile], from output: String) throws -> [SameFile: Bool] {
        try YesOrNo.answers(to: questions, from: output)
    }
}
