public import ArgumentParser
import Diagnostics
import Drover

/// `drover apply PLAYBOOK`: shows what will change, asks, changes it, and verifies.
public struct ApplyCommand<List: PlaybookList>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "apply", abstract: "Plan, ask, apply and verify.",
            subcommands: List.all.map { command(for: $0) })
    }

    public init() {}

    private static func command<P: Playbook>(for playbook: P.Type) -> any ParsableCommand.Type { Apply<P>.self }
}

struct Apply<P: Playbook>: PlaybookCommand {
    @OptionGroup var options: CommonOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var playbook: P

    @Flag(help: "Apply without asking.")
    var yes = false

    func run() async throws {
        try await Failure.explained {
            guard yes || Terminal.isInteractive else {
                throw Diagnostic(
                    "nobody is there to approve the plan: the standard input is no terminal", remedy: "add --yes")
            }
            let run = try Run(
                playbook, inventory: await options.loadInventory(), settings: options.settings,
                reporter: view.console)
            return try await run.apply { plan in
                yes || Terminal.confirm("Apply \(Text.count(plan.stepCount, "change"))?")
            }.status
        }
    }
}
