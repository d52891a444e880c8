package import ArgumentParser
package import Engine

/// A playbook as a command that says all there is to approve: `drover backup now` for the playbook `backup-now`.
package struct ErrandCommand<P: Playbook>: PlaybookCommand {
    package static var configuration: CommandConfiguration {
        let name = P.name.split(separator: "-").dropFirst().joined(separator: "-")
        return CommandConfiguration(commandName: name, abstract: P.abstract)
    }

    @OptionGroup(title: "Options of \(P.name)") var playbook: P
    @OptionGroup(title: "Approval") var apply: ApplyOptions
    @OptionGroup var options: CommonOptions
    @OptionGroup(visibility: .hidden) var selection: SelectionOptions
    @OptionGroup(title: "Output") var view: ViewOptions

    package init() {}

    package func run() async throws {
        try await view.explained("apply") { view in
            let reporter = view.reporter(P.name, options)
            return try await PlaybookRun(playbook, options, selection, reporter: reporter)
                .apply(apply) { _ in true }
        }
    }
}
