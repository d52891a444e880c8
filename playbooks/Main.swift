import ArgumentParser
import DroverCLI

/// `drover`: the command line around the playbooks of this folder.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drover",
        abstract: "Brings hosts to a declared state over SSH: PostgreSQL high-availability clusters above all.",
        subcommands: [
            PlanCommand<Playbooks>.self, ApplyCommand<Playbooks>.self, StatusCommand.self,
            RollbackCommand.command, RunsCommand.self, PlaybooksCommand<Playbooks>.self, LabCommand.self,
        ])

    static func main() async {
        await CommandLineProgram.run(Main.self, playbooks: Playbooks.self)
    }
}
