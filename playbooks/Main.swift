import ArgumentParser
import Drover
import DroverCLI

/// `drover`: the command line around the playbooks of this folder.
@main
enum Main: CommandLineProgram {
    static let name = "drover"
    static let abstract = "Brings hosts to a declared state over SSH: PostgreSQL high-availability clusters above all."
    static let all = Playbooks.all
    static let commands: [any ParsableCommand.Type] = [
        InventoryCommand.self, SecretCommand.self, PingCommand.self, FactsCommand.self, RunCommand.self,
        StatusCommand.self, BackupCommand.self,
        InitCommand.self, ConvertCommand.self,
    ]
}
