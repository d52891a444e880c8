import Engine
import Secrets

/// Ensures that something was done that a person has just asked for, once for each time that it is asked for.
///
/// The host remembers the last one that came to its end, so that a run which lost its connection learns whether that was
/// this one.
struct Errand: Resource {
    /// What it is called, as part of a path: `backup-now`.
    let errand: String
    /// Which time it is.
    let mark: String
    /// What is done, as an order.
    let summary: String
    let script: ShellText

    var name: String { "errand \(errand)" }

    var questions: [any Fact] { [question] }

    private var question: ErrandMark { ErrandMark(errand) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[question] == mark { return [] }
        let script: ShellText = """
            \(script)
            mkdir -p \(quoting: ErrandMark.folder)
            printf '%s\\n' \(quoting: mark) >\(quoting: question.path)
            """
        return [Change(summary, script: script)]
    }
}

/// The mark of the last errand of its name that came to its end; nil when there was none.
struct ErrandMark: Fact {
    static let folder = "/var/lib/drover/errands"

    let errand: String

    init(_ errand: String) {
        self.errand = errand
    }

    var path: String { "\(Self.folder)/\(errand)" }

    static func script(for questions: [ErrandMark]) -> ShellText {
        questions.map { question -> ShellText in
            """
            mark=
            [ ! -r \(quoting: question.path) ] || read -r mark <\(quoting: question.path) || :
            printf '%s\\n' "=$mark"
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [ErrandMark], from output: String) throws -> [ErrandMark: String?] {
        let lines = output.linesOfText
        guard lines.count == questions.count else { throw UnreadableAnswer(ErrandMark.self, output) }
        return Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, line in
                (question, line == "=" ? nil : String(line.dropFirst()))
            })
    }

    /// A mark for one more time.
    static func new() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}
