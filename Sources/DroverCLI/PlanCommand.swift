public import ArgumentParser
import Diagnostics
import Drover
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
    @OptionGroup var options: CommonOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var playbook: P

    @Flag(help: "Exit with 2 when there is something to change.")
    var detailedExitcode = false

    @Option(name: .shortAndLong, help: "Save the plan in this file; 'drover apply --plan FILE' does exactly that.")
    var output: String?

    func run() async throws {
        try await view.explained("plan") { view in
            let (result, observation) = try await PlaybookRun(
                playbook, options, selection, reporter: view.reporter(P.name, options)
            ).plan(isKept: output != nil)
            if let output {
                let saved = try SavedPlan(observation, playbook: P.name, arguments: PlanFile.arguments)
                try PlanFile.write(saved, to: output)
            }
            return result.status == .changesPending && !detailedExitcode ? .done : result.status
        }
    }
}
