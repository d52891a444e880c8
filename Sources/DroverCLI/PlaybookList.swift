import ArgumentParser
import Diagnostics
public import Drover

/// The playbooks that a program offers.
public protocol PlaybookList: Sendable {
    static var all: [any Playbook.Type] { get }
}

extension PlaybookList {
    /// The error for a word that names no playbook.
    static func unknown(_ word: String?) -> ValidationError {
        let names = all.map { $0.name }
        guard let word else { return ValidationError("name a playbook: \(names.joined(separator: ", "))") }
        let remedy = Suggestion.remedy(for: word, among: names) ?? "the playbooks are \(names.joined(separator: ", "))"
        return ValidationError("unknown playbook '\(word)'; \(remedy)")
    }
}

/// The command that does something with one playbook; its options are those of the playbook too.
protocol PlaybookCommand: AsyncParsableCommand {
    associatedtype P: Playbook
}

extension PlaybookCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: P.name, abstract: P.abstract)
    }
}
