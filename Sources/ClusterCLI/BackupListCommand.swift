import ArgumentParser
import DroverCLI
import Engine
import FoundationEssentials
import PostgresCluster

/// `drover backup list`: which backups there are.
struct BackupListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the backups, from the oldest to the newest.")

    @OptionGroup var options: CommonOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let list = try await BackupList.observe(inventory, settings: try await options.settings(for: inventory))
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                try Terminal.print(json: list, by: encoder)
            } else {
                BackupListText(list: list).lines.forEach { Terminal.print($0) }
            }
            return .done
        }
    }
}
