import ArgumentParser
import Drover
import DroverCLI

/// `drover-workload`: the command line around the one playbook that Drover is compared by.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drover-workload", abstract: "What Drover is compared by.",
        subcommands: [PlanCommand<Playbooks>.self, ApplyCommand<Playbooks>.self])

    static func main() async {
        await CommandLineProgram.run(Main.self, playbooks: Playbooks.self)
    }
}

enum Playbooks: PlaybookList {
    static let all: [any Playbook.Type] = [SetUpWorkers.self]
}
