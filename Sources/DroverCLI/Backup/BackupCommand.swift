public import ArgumentParser
import PostgresCluster

/// `drover backup`: makes, lists and tries backups of a cluster.
public struct BackupCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make, list and try backups of a cluster.",
        subcommands: [ErrandCommand<BackupNow>.self, BackupListCommand.self, ErrandCommand<BackupVerification>.self])

    public init() {}
}
