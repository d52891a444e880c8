import ArgumentParser
import DroverCLI

/// `drover-tests`: the command line around the playbooks that only tests want.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drover-tests", abstract: "Playbooks that only tests want.",
        subcommands: [
            PlanCommand<TestPlaybooks>.self, ApplyCommand<TestPlaybooks>.self, RollbackCommand.command,
            RunsCommand.self,
        ])

    static func main() async {
        await CommandLineProgram.run(Main.self, playbooks: TestPlaybooks.self)
    }
}
