public import ArgumentParser
import Engine
import FoundationEssentials
import Inventory
import SystemResources

/// `drover facts -i INVENTORY HOST`
public struct FactsCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "facts", abstract: "Show what a host is: its system, machine, addresses and file systems.",
        usage: "drover facts -i INVENTORY HOST")

    @OptionGroup var options: CommonOptions

    @Flag(help: "Print JSON; sizes are in bytes, times in seconds.")
    var json = false

    @Argument(help: "The host, as the inventory names it.", completion: .hosts)
    var host: String

    public init() {}

    public func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let host = try inventory.host(named: host)
            let answers = await Survey.ask([host], settings: try await options.settings(for: inventory)) { _, _ in
                [HostProfile()]
            }
            if let failures = HostFailures(allOf: answers) { throw failures }
            for (_, answer) in answers {
                let profile = try answer.get()[HostProfile()]
                if json {
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                    try Terminal.print(json: profile, by: encoder)
                } else {
                    FactsText(profile: profile).lines.forEach { Terminal.print($0) }
                }
            }
            return .done
        }
    }
}
