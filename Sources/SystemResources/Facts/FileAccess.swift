public import Engine

/// Whether a file may be written by who asks: not where the file system is read-only, as `/proc/sys` of a container is.
public struct FileAccess: Fact {
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// The shell itself finds out; no program is started.
    public static func script(for questions: [FileAccess]) -> ShellText {
        YesOrNo.script(questions.map { "[ -w \(quoting: $0.path) ]" })
    }

    public static func answers(to questions: [FileAccess], from output: String) throws -> [FileAccess: Bool] {
        try YesOrNo.answers(to: questions, from: output)
    }
}
