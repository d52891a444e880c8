public import ArgumentParser
import Engine
import Inventory
import SystemResources

/// `drover runs`: what was done to the hosts, as they have written it down.
public struct RunsCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "runs", abstract: "List the runs that have changed the hosts, or the steps of one.")

    @OptionGroup var options: CommonOptions

    @Argument(help: "Tell what this run has done.")
    var run: String?

    public init() {}

    public func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let settings = try await options.settings(for: inventory)
            let answers = await Survey.ask(inventory.hosts, settings: settings) { _, _ in
                [RunHistory()]
            }
            var journals: [(host: String, journal: Journal)] = []
            var failures: [HostFailures.Failure] = []
            for (host, answer) in answers {
                switch answer {
                case .success(let facts): journals += try facts[RunHistory()].map { (host.name, $0) }
                case .failure(let error): failures.append(HostFailures.Failure(host: host, error: error))
                }
            }
            let text = RunsText(
                journals: journals, unreached: failures.map(\.host.name), style: Style(isColoured: Terminal.hasColours))
            for line in try run.map(text.steps) ?? text.list { Terminal.print(line) }
            if !failures.isEmpty { throw HostFailures(failures) }
            return .done
        }
    }
}
