public import ArgumentParser
import Drover

/// `drover plan PLAYBOOK`: shows what would change, and changes nothing.
public struct PlanCommand<List: PlaybookList>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "plan", abstract: "Show what a playbook would change; nothing is touched.",
            subcommands: List.all.map { command(for: $0) })
    }

    public init() {}

    private static func command<P: Playbook>(for playbook: P.Type) -> any ParsableCommand.Type { Plan<P>.self }
}

struct Plan<P: Playbook>: PlaybookCommand {
    @OptionGroup var options: CommonOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var playbook: P

    @Flag(help: "Exit with 2 when there is something to change.")
    var detailedExitcode = false

    func run() async throws {
        try await Failure.explained {
            let run = try Run(
                playbook, inventory: await options.loadInventory(), settings: options.settings,
                reporter: view.console)
            let result = try await run.plan()
            return result.status == .changesPending && !detailedExitcode ? .done : result.status
        }
    }
}

/// How much of a plan is shown.
struct ViewOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show what changes in each file.")
    var diff = true

    @Flag(help: "Show what the run cost on each host: connections, exchanges, bytes.")
    var stats = false

    var console: Console { Console(showsDiffs: diff, showsCosts: stats) }
}
