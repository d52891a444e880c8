public import ArgumentParser
import Diagnostics
import Engine
import FoundationEssentials
import Inventory

/// `drover inventory`: which hosts there are, and where their variables come from.
public struct InventoryCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Show hosts, groups and variables; no host is contacted.")

    @OptionGroup(title: "Inventory") var inventory: InventoryOptions

    @Flag(help: "Show the groups and their hosts as a tree; this is what happens without an option, too.")
    var graph = false

    @Flag(help: "Print JSON as 'ansible-inventory --list' does.")
    var list = false

    @Flag(
        help: ArgumentHelp(
            "Print what Prometheus can read of a cluster, as its 'file_sd_configs' wants it.",
            visibility: Clusters.visibility))
    var prometheus = false

    @Option(
        help: ArgumentHelp("Show each value of a host, and the line it comes from.", valueName: "name"),
        completion: .hosts)
    var host: String?

    @Option(
        help: ArgumentHelp(
            "Describe a variable of a cluster: its type, its default, and what a change needs.", valueName: "name",
            visibility: Clusters.visibility))
    var describe: String?

    @Flag(
        help: ArgumentHelp(
            "List what becomes of each variable in a cluster; exits with 1 for what asks for something else.",
            visibility: Clusters.visibility))
    var lint = false

    public init() {}

    public func validate() throws {
        guard [graph, list, lint, prometheus, host != nil, describe != nil].count(where: \.self) < 2 else {
            throw ValidationError(
                "'--graph', '--list', '--lint', '--prometheus', '--host' and '--describe' cannot stand together; choose one of them"
            )
        }
    }

    public func run() async throws {
        try await Failure.explained {
            if let describe {
                Terminal.print(try Clusters.required(for: "--describe").describe(describe))
                return .done
            }
            let inventory = try await inventory.load()
            if lint {
                let review = try Clusters.required(for: "--lint").review(try await inventory.resolvingSecrets())
                review.lines.forEach { Terminal.print($0) }
                return review.isClean ? .done : .wrongInput
            }
            if prometheus {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                let clusters = try Clusters.required(for: "--prometheus")
                let targets = try clusters.scrapeTargets(of: try await inventory.resolvingSecrets())
                try Terminal.print(json: targets, by: encoder)
                return .done
            }
            if let host {
                Terminal.print(try inventory.host(named: host).listing)
            } else {
                Terminal.print(list ? inventory.listing : inventory.graph)
            }
            return .done
        }
    }
}
