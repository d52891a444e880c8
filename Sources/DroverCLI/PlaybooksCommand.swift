public import ArgumentParser
import Engine

/// `drover playbooks`: the list.
public struct PlaybooksCommand<List: PlaybookList>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "playbooks", abstract: "List the playbooks.")
    }

    public init() {}

    public func run() {
        for line in Text.table(List.all.map { [$0.name, $0.abstract] }) { Terminal.print(line) }
        Terminal.print("\nThe options of one: \(Terminal.program) apply PLAYBOOK --help")
    }
}
