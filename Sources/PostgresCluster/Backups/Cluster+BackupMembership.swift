public import Engine
public import Inventory
import SystemResources

/// What a member that comes or goes means for the backups.
extension Cluster {
    /// Lets a host reach the repository, and be reached from there, before it is cloned.
    public func backups(reaching node: Node) -> [Play] {
        let hosts = configuration.hasBackups ? [node.host] + repositoryHost : []
        return [
            Play("Prepare the backups", on: hosts, tags: ["pgbackrest"]) { try backupTool(on: $0) },
            Play(
                "Let the hosts of the backups in", on: repositoryHost.isEmpty ? [] : hosts, tags: ["pgbackrest"]
            ) {
                try backupTrust(on: $0)
            },
        ]
    }

    /// Lets the timers of a member make backups, for it may come to lead.
    public func backups(by node: Node) -> Play {
        Play(
            "Let timers make backups", on: backupKeepers.filter { $0.name == node.name }, tags: ["pgbackrest"]
        ) {
            try backupTimers(on: $0)
        }
    }

    /// The host of the repository, when it is one of its own.
    public var repositoryHost: [Host] { configuration.backups?.host.map { [$0.host] } ?? [] }

    /// A host that makes no backups any more. What it needs to read those that there are stays.
    @ResourceBuilder
    public func withoutBackups(on host: Host) -> [any Resource] {
        for kind in BackupKind.allCases { StoppedService("\(backupTimer)-\(kind.rawValue).timer") }
    }

    /// What the timers of the backups begin with.
    private var backupTimer: String {
        configuration.walg == nil ? BackupScript.timer : ClusterConfiguration.WALG.timer
    }

    /// Where a host has it how backups are reached.
    var backupSettings: [String] {
        configuration.walg == nil ? [PgBackRestConfiguration.path] : [ClusterConfiguration.WALG.path]
    }

    /// What a member has because of the backups.
    var backupFiles: [String] {
        guard configuration.hasBackups else { return [] }
        let others =
            configuration.walg == nil
            ? [BackupReachConfiguration.path, BackupGate.path, BackupScript.path]
            : [ClusterConfiguration.WALG.sourcePath, WALGScript.path]
        return backupSettings + others
            + BackupKind.allCases.flatMap { kind in
                ["timer", "service"].map { "/etc/systemd/system/\(backupTimer)-\(kind.rawValue).\($0)" }
            }
    }
}
