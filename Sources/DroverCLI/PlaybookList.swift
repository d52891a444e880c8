import ArgumentParser
import Diagnostics
public import Drover

/// The playbooks that a program offers.
public protocol PlaybookList: Sendable {
    static var all: [any Playbook.Type] { get }
}

extension PlaybookList {
    /// What is wrong with the word after `plan` or `apply`, or nil when it names a playbook or is an option. The argument
    /// parser itself would complain about whatever comes after it.
    static func complaint(about arguments: some Collection<String>) -> Diagnostic? {
        guard let command = arguments.first, ["plan", "apply"].contains(command),
            let word = arguments.dropFirst().first, !word.hasPrefix("-")
        else { return nil }
        let names = all.map { $0.name }
        if names.contains(word) { return nil }
        let list = "the playbooks are \(names.joined(separator: ", "))"
        return Diagnostic("unknown playbook '\(word)'", remedy: Suggestion.remedy(for: word, among: names) ?? list)
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
