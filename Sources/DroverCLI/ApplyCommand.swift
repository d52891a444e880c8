public import ArgumentParser
import Diagnostics
import Engine

/// `drover apply PLAYBOOK`: shows what will change, asks, changes it, and verifies. `drover apply --plan FILE` carries out
/// a plan that was saved.
public struct ApplyCommand<List: PlaybookList>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "apply", abstract: "Plan, ask, apply and verify.",
            usage: "drover apply PLAYBOOK -i INVENTORY [options]\ndrover apply --plan FILE",
            subcommands: List.all.map { command(for: $0) })
    }

    @Option(help: "Carry out this plan, which 'drover plan -o FILE' has saved, and nothing else.")
    var plan: String?

    @OptionGroup(title: "Approval") var approval: ApprovalOptions
    @OptionGroup(title: "Approval") var apply: ApplyOptions
    @OptionGroup(title: "Login") var login: LoginOptions
    @OptionGroup(title: "Output") var view: ViewOptions

    public init() {}

    public func run() async throws {
        try await view.explained("apply") { view in
            guard let plan else {
                throw Diagnostic("nothing to apply", remedy: "name a playbook, or '--plan FILE'")
            }
            let saved = try PlanFile.read(plan)
            guard let playbook = List.all.first(where: { $0.name == saved.playbook }) else {
                throw Diagnostic("the plan '\(plan)' is one of the playbook '\(saved.playbook)', which is not here")
            }
            return try await carryOut(saved, playbook, view)
        }
    }

    private func carryOut<P: Playbook>(
        _ saved: SavedPlan, _ playbook: P.Type, _ view: RunView
    ) async throws -> ExitStatus {
        var command = try SavedArguments<P>.parse(saved.arguments)
        command.options.login = login.completed(by: command.options.login)
        // Who saved the plan has seen it; what it destroys must be named all the same.
        let yes = approval.yes
        let (words, isInteractive) = (apply.confirm, Terminal.isInteractive && !self.view.json)
        return try await PlaybookRun(
            command.playbook, command.options, command.selection,
            reporter: view.reporter(P.name, command.options)
        ).apply(apply, saved: saved) { plan in
            try await Approval(
                for: plan.confirmation, yes: yes || plan.confirmation == nil, words: words, isInteractive: isInteractive
            ).ask(about: plan)
        }
    }

    private static func command<P: Playbook>(for playbook: P.Type) -> any ParsableCommand.Type { Apply<P>.self }
}

/// The part of the command line that a saved plan holds.
private struct SavedArguments<P: Playbook>: ParsableArguments {
    @OptionGroup var options: CommonOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var playbook: P
}

/// How changes are made.
struct ApplyOptions: ParsableArguments {
    @Flag(help: "When another run holds a host, wait for its end.")
    var wait = false

    @Option(help: "Name what is destroyed, in the words that the plan of such a playbook tells, instead of typing it.")
    var confirm: String?
}

/// The approval of whatever must change.
struct ApprovalOptions: ParsableArguments {
    @Flag(help: "Apply without asking.")
    var yes = false
}

struct Apply<P: Playbook>: PlaybookCommand {
    @OptionGroup(title: "Options of \(P.name)") var playbook: P
    @OptionGroup(title: "Approval") var approval: ApprovalOptions
    @OptionGroup(title: "Approval") var apply: ApplyOptions
    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Hosts and plays") var selection: SelectionOptions
    @OptionGroup(title: "Output") var view: ViewOptions

    func run() async throws {
        try await view.explained("apply") { view in
            let isSaid = approval.yes || apply.confirm != nil
            guard isSaid || !self.view.json else {
                throw Diagnostic("nobody can approve the plan: --json asks no questions", remedy: "add --yes")
            }
            guard isSaid || Terminal.isInteractive else {
                throw Diagnostic(
                    "nobody is there to approve the plan: the standard input is no terminal", remedy: "add --yes")
            }
            let reporter = view.reporter(P.name, options)
            let (yes, words, isInteractive) = (approval.yes, apply.confirm, Terminal.isInteractive && !self.view.json)
            return try await PlaybookRun(playbook, options, selection, reporter: reporter).apply(apply) { plan in
                try await Approval(
                    for: plan.confirmation, yes: yes, words: words, isInteractive: isInteractive
                ).ask(about: plan)
            }
        }
    }
}
