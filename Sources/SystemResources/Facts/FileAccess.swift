public import Drover

/// Whether a file may be written by who asks: not where the file system is read-only, as `/proc/sys` of a container is.
public struct FileAccess: Fact {
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// The shell itself finds out; no program is started.
    public static func script(for questions: [FileAccess]) -> String {
        """
        for path in \(Shell.words(questions.map(\.path))); do
            if [ -w "$path" ]; then echo yes; else echo no; fi
        done
        """
    }

    public static func answers(to questions: [FileAccess], from output: String) throws -> [FileAccess: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(FileAccess.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}
