import ArgumentParser
import DroverCLI
import PostgresCluster

/// `drover backup`: makes, lists, tries and restores backups of a cluster.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make, list, try and restore backups of a cluster.",
        subcommands: [
            ErrandCommand<BackupNow>.self, BackupListCommand.self, ErrandCommand<BackupVerification>.self,
            ErrandCommand<BackupRestoration>.self,
        ])
}
