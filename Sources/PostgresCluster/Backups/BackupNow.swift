public import ArgumentParser
public import Engine
import Inventory
import Secrets

extension BackupKind: ExpressibleByArgument {}

/// Makes a backup at once.
public struct BackupNow: ClusterPlaybook {
    public static let name = "backup-now"
    public static let abstract = "Make a backup at once."

    @Option(
        help: "What it copies: full, diff for what has changed since the last full one, or incr since the last one.")
    public var type: BackupKind = .incremental

    @Option(help: .hidden)
    public var mark: String = ErrandMark.new()

    public init() {}

    public func plays(for cluster: Cluster) throws -> [Play] {
        try cluster.configuration.requireBackups()
        try cluster.refuseUnlessLed()
        return [
            Play("Make a backup", on: cluster.backupMakers) { _ in
                Errand(
                    errand: "backup-now", mark: mark, summary: "make a backup (\(type.rawValue))",
                    script: cluster.backupOrder(type))
            }
        ]
    }
}
