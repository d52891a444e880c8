import ArgumentParser
import DroverCLI

/// `drover-tests`: the playbooks that only the tests against lab hosts run.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drover-tests", abstract: "Runs the playbooks of the tests.",
        subcommands: [PlanCommand<TestPlaybooks>.self, ApplyCommand<TestPlaybooks>.self])

    static func main() async {
        await CommandLineProgram.run(Main.self, playbooks: TestPlaybooks.self)
    }
}
