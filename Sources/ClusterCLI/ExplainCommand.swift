import ArgumentParser
import DroverCLI
import Engine
import FoundationEssentials
import PostgresCluster

/// `drover explain`: why the leader has changed.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell why a cluster's leader changed, when, and for how long nobody could write.",
        discussion: """
            Drover reads Patroni's history and the messages of Patroni, PostgreSQL and the fence on all members. Journals \
            that no longer go back so far tell less. The exit status is 4 if a member is unreachable.
            """)

    @OptionGroup var options: CommonOptions

    @Option(help: "Tell of the change that began this timeline, not of the last one.")
    var timeline: Int?

    @Flag(help: "List all changes that Patroni remembers.")
    var list = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let leaders = try LeaderChanges(of: inventory)
            let settings = try await options.settings(for: inventory)
            let changes = try await leaders.all(settings: settings)
            if list || changes.isEmpty {
                try json
                    ? printJSON(changes.map(StoryJSON.Change.init))
                    : StoryText.lines(of: changes).forEach { Terminal.print($0) }
                return .done
            }
            let interruption = Interruption()
            let (timeline, json) = (timeline, json)
            let (story, outcome) = try await Interrupts.guarding(interruption) {
                try await leaders.story(of: timeline, among: changes, settings: settings, interruption: interruption)
            }
            if json {
                try printJSON(StoryJSON(story))
            } else {
                StoryText.lines(of: story, style: Style(isColoured: Terminal.hasColours)).forEach { Terminal.print($0) }
            }
            return LogsCommand.report(outcome)
        }
    }

    private func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try Terminal.print(json: value, by: encoder)
    }
}
