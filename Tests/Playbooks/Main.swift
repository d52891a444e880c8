import ArgumentParser
import DroverCLI

/// `drover-tests`: the playbooks with which the tests against lab hosts try single resources.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drover-tests",
        abstract: "Playbooks for tests.",
        subcommands: [PlanCommand<TestPlaybooks>.self, ApplyCommand<TestPlaybooks>.self])

    static func main() async {
        await CommandLineProgram.run(Main.self, playbooks: TestPlaybooks.self)
    }
}
