public import ArgumentParser
import PostgresCluster

/// `drover backup`: makes, lists and tries backups of a cluster.
public struct BackupCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make, list and try backups of a cluster.",
        subcommands: [Errand<BackupNow>.self, BackupListCommand.self, Errand<BackupVerification>.self])

    public init() {}
}
