public import ArgumentParser
import Diagnostics
import Drover
import Inventory

/// `drover inventory`: which hosts there are, and where their variables come from.
public struct InventoryCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Show hosts, groups and variables; no host is contacted.")

    @OptionGroup var inventory: InventoryOptions

    @Flag(help: "Show the groups and their hosts as a tree; this is what happens without an option, too.")
    var graph = false

    @Flag(help: "Print JSON as 'ansible-inventory --list' does.")
    var list = false

    @Option(
        help: ArgumentHelp("Show each value of a host, and the line it comes from.", valueName: "name"),
        completion: .hosts)
    var host: String?

    public init() {}

    public func validate() throws {
        guard [graph, list, host != nil].count(where: \.self) < 2 else {
            throw ValidationError("'--graph', '--list' and '--host' cannot stand together; choose one of them")
        }
    }

    public func run() async throws {
        try await Failure.explained {
            let inventory = try await inventory.load()
            if let host {
                print(try inventory.host(named: host).listing)
            } else {
                print(list ? inventory.listing : inventory.graph)
            }
            return .done
        }
    }
}
