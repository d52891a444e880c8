import Diagnostics
import Engine

@testable import Inventory

extension Host {
    /// A host of which only the name matters.
    static func named(_ name: String) -> Host {
        Host(
            name: name, location: SourceLocation(file: "hosts.yml", line: 1, column: 1), groups: ["all"], variables: [:]
        )
    }
}

/// A fact whose shell text prints the question itself, each on a line.
struct Echo: Fact {
    let text: String

    static func script(for questions: [Echo]) -> ShellText {
        "for word in \(words: questions.map(\.text)); do printf '%s\\n' \"$word\"; done"
    }

    static func answers(to questions: [Echo], from output: String) throws -> [Echo: String] {
        Dictionary(zip(questions, output.linesOfText), uniquingKeysWith: { first, _ in first })
    }
}

/// A fact whose shell text is arbitrary, and whose answer is all that it prints.
struct Printed: Fact {
    let script: ShellText

    static func script(for questions: [Printed]) -> ShellText { questions.map(\.script).joined(separator: "\n") }

    static func answers(to questions: [Printed], from output: String) throws -> [Printed: String?] {
        Dictionary(uniqueKeysWithValues: questions.map { ($0, output.isEmpty ? nil : output) })
    }
}

/// A resource that wants certain changes until a fact has a certain answer.
struct Wish: Resource {
    let name: String
    var questions: [any Fact] = []
    var changes: [Change] = []
    /// Further changes when this effect is pending.
    var dependent: (effect: Effect, changes: [Change])?
    var notices: [String] = []

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let dependent, pending.contains(dependent.effect) else { return changes }
        return changes + dependent.changes
    }

    func notices(given facts: Facts) throws -> [String] { notices }
}
