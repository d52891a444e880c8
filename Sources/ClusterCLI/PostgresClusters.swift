public import ArgumentParser
public import DroverCLI
public import Inventory
import PostgresCluster

/// What the command line can do with PostgreSQL clusters.
public struct PostgresClusters: ClusterSupport {
    /// The commands about clusters that stand beside those of all programs.
    public static let commands: [any ParsableCommand.Type] = [
        StatusCommand.self, LogsCommand.self, ExplainCommand.self, ConnectCommand.self, BackupCommand.self,
        ConvertCommand.self,
    ]

    public init() {}

    public func select(_ cluster: String, from inventory: Inventory) throws -> Inventory {
        try inventory.selecting(cluster: cluster)
    }

    public func review(_ inventory: Inventory) throws -> (lines: [String], isClean: Bool) {
        let text = LintText(review: try VariableReview(of: inventory))
        return (text.lines, text.isClean)
    }

    public func describe(_ variable: String) throws -> String {
        try VariableDescriptor.describing(variable)
    }

    public func scrapeTargets(of inventory: Inventory) throws -> any Encodable {
        try ScrapeTargets.all(of: inventory)
    }

    public var secretCommands: [any ParsableCommand.Type] { [SecretRotateCommand.self] }
}
