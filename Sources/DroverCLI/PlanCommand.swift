public import ArgumentParser
import Diagnostics
import Engine
import SystemPackage

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
    @OptionGroup(title: "Options of \(P.name)") var playbook: P
    @OptionGroup(title: "Plan") var plan: PlanOptions
    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Hosts and plays") var selection: SelectionOptions
    @OptionGroup(title: "Output") var view: ViewOptions

    func run() async throws {
        try await view.explained("plan", pending: plan.detailedExitcode ? .changesPending : .done) { view in
            let (result, observation) = try await PlaybookRun(
                playbook, options, selection, reporter: view.reporter(P.name, options)
            ).plan(isKept: plan.output != nil)
            if let output = plan.output {
                let saved = try SavedPlan(observation, playbook: P.name, arguments: PlanFile.arguments)
                try PlanFile.write(saved, to: output)
            }
            if observation.plan.hasChanges {
                view.tell(
                    NextCommand(playbook: P.name, saved: plan.output, unasked: result.unasked, limit: selection.limit)
                        .lines)
            }
            return result.status
        }
    }
}

/// What becomes of a plan.
struct PlanOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Save the plan in this file; 'drover apply --plan FILE' does exactly that.")
    var output: String?

    @Flag(help: "Exit with 2 when there is something to change.")
    var detailedExitcode = false
}
