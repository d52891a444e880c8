public import Drover

/// The lines of a file that is not Drover's alone, such as `/etc/fstab`. One `grep` reads all such files.
public struct FileLines: Fact {
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    public static func script(for questions: [FileLines]) -> String {
        "grep -aHZ '' -- \(Shell.words(questions.map(\.path))) 2>/dev/null"
    }

    /// The answer is empty where there is no file.
    public static func answers(to questions: [FileLines], from output: String) throws -> [FileLines: [String]] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, [String]()) })
        for line in output.linesOfText {
            let bytes = line.utf8
            guard let border = bytes.firstIndex(of: 0) else { throw UnreadableAnswer(FileLines.self, line) }
            let path = String(decoding: bytes[..<border], as: UTF8.self)
            answers[FileLines(path)]?.append(String(decoding: bytes[bytes.index(after: border)...], as: UTF8.self))
        }
        return answers
    }
}
