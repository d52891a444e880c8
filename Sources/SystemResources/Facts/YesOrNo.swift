import Engine

/// What facts have in common that the shell answers with yes or no: a line for each question, in the order of the questions.
enum YesOrNo {
    /// - Parameter tests: a shell command for each question; its status is the answer.
    static func script(_ tests: [ShellText]) -> ShellText {
        tests.map { "if \($0); then echo yes; else echo no; fi" }.joined(separator: "\n")
    }

    /// - Throws: `UnreadableAnswer` when there is another number of answers than of questions.
    static func answers<F: Fact>(to questions: [F], from output: String) throws -> [F: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(F.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}
