public import Drover

/// Whether two paths lead to the same file, through links too. The shell itself finds out; no program is started.
public struct SameFile: Fact {
    public let path: String
    public let other: String

    public init(_ path: String, _ other: String) {
        self.path = path
        self.other = other
    }

    public static func script(for questions: [SameFile]) -> String {
        questions.map { question in
            "if [ \(Shell.quote(question.path)) -ef \(Shell.quote(question.other)) ]; then echo yes; else echo no; fi"
        }.joined(separator: "\n")
    }

    public static func answers(to questions: [SameFile], from output: String) throws -> [SameFile: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(SameFile.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}
