package import ArgumentParser
public import Engine

/// The playbooks that a program offers.
public protocol PlaybookList: Sendable {
    static var all: [any Playbook.Type] { get }
}

/// The command that does something with one playbook; its options are those of the playbook too.
package protocol PlaybookCommand: AsyncParsableCommand {
    associatedtype P: Playbook
}

extension PlaybookCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: P.name, abstract: P.abstract)
    }
}
