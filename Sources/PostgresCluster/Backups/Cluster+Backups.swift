public import Engine
public import Inventory
import SystemResources

/// The backups of a cluster, whatever tool makes them.
extension Cluster {
    /// What the tool needs on a host before the cluster's log is archived.
    @ResourceBuilder
    public func backupTool(on host: Host) throws -> [any Resource] {
        try pgbackrest(on: host)
        try walg(on: host)
    }

    /// Where backups are made: the host of the repository, or whoever leads.
    public var backupMakers: [Host] {
        guard configuration.hasBackups else { return [] }
        return [configuration.backups?.host?.host ?? leader.host]
    }

    /// The hosts on which timers look after the backups: every member may come to lead.
    public var backupKeepers: [Host] {
        guard configuration.hasBackups else { return [] }
        return configuration.backups?.host.map { [$0.host] } ?? configuration.members.map(\.host)
    }

    /// What makes backups when their time has come.
    @ResourceBuilder
    public func backupTimers(on host: Host) throws -> [any Resource] {
        try pgbackrestTimers(on: host)
        try walgTimers(on: host)
    }

    /// The timers of one tool.
    ///
    /// - Parameters:
    ///   - name: what theirs begin with.
    ///   - program: is told the kind of the backup.
    @ResourceBuilder
    func timers(
        _ name: String, _ schedule: BackupSchedule, as user: String, running program: String
    ) throws -> [any Resource] {
        for kind in BackupKind.allCases {
            if let moment = schedule[kind] {
                try Timer(
                    "\(name)-\(kind.rawValue)", at: [moment], within: 60, as: user,
                    running: "\(program) \(kind.rawValue)")
            } else {
                StoppedService("\(name)-\(kind.rawValue).timer")
            }
        }
    }

    /// The first backup, for which the archive must work.
    @ResourceBuilder
    public func firstBackup(on host: Host) -> [any Resource] {
        let isArchiving = backupSightings.archivers[leader.name]?.isOn
        if let info { FirstBackup(info: info, isArchiving: isArchiving) }
        if let first = firstWALGBackup { first }
    }

    /// The shell text that makes a backup where backups are made.
    func backupOrder(_ kind: BackupKind) -> ShellText {
        if let backups = configuration.backups { return BackupScript.order(kind, as: backups.user) }
        // WAL-G ends before the log is archived that the backup needs: it says pg_backup_stop(false).
        let archiving = ArchivedUpToNow(catalog: catalog).script
        return "cd /\nrunuser -u postgres -- \(words: [WALGScript.path, kind.rawValue])\n\(archiving)"
    }

    /// The packages that a host needs for the backups.
    func backupPackages(on host: Host) -> [String] {
        guard configuration.backupHosts.contains(where: { $0.name == host.name }) else { return [] }
        if case .package(let package)? = configuration.walg?.origin { return [package] }
        return configuration.backups == nil ? [] : configuration.platform.pgbackrest.packages
    }

    /// What PostgreSQL must be told, so that its log gets into the archive. An idle cluster archives twice an hour.
    var archiveParameters: [ClusterConfiguration.Parameter] {
        var push: ShellText = ""
        if let backups = configuration.backups {
            push = #"pgbackrest --stanza=\#(quoting: backups.stanza) archive-push "%p""#
        }
        if let walg = configuration.walg { push = walg.command(#"wal-push "%p""#) }
        if push.isEmpty { return [] }
        // With an empty command PostgreSQL keeps its log for a later one, so that the archive will have no hole.
        if leavesArchivingOff { push = "" }
        let given = configuration.postgres.parameters.map(\.name)
        return [("archive_mode", "on"), ("archive_command", push.reveal()), ("archive_timeout", "1800s")]
            .filter { !given.contains($0.0) }.map { .init(name: $0.0, value: $0.1) }
    }

    /// How replicas are made. While nothing is archived, a backup leads along the timeline that was left.
    var replicaMethods: [ClusterConfiguration.ReplicaMethod] {
        leavesArchivingOff ? [.basebackup] : configuration.patroni.replicaMethods
    }

    /// How Patroni gets a replica and a segment back.
    var restoration: PatroniConfiguration.Restoration? {
        if let walg = configuration.walg {
            // It makes the directory itself, but not for the eyes of the server alone.
            let data = ShellText.quoting(configuration.postgres.dataDirectory)
            let fetch = walg.command("backup-fetch \(data) \(quoting: WALGSource.newest)")
            let script: ShellText = "install -d -m 0700 \(data) && \(fetch)"
            let replica: ShellText = "/bin/sh -c \(quoting: script)"
            return .init(
                method: ClusterConfiguration.ReplicaMethod.walG.rawValue, replica: replica.reveal(), keepsData: false,
                segment: walg.command(#"wal-fetch "%f" "%p""#).reveal())
        }
        return configuration.backups.map { backups in
            let pgbackrest: ShellText = "/usr/bin/pgbackrest --stanza=\(quoting: backups.stanza)"
            let replica: ShellText = "\(pgbackrest) --delta --type=standby restore"
            let segment: ShellText = #"\#(pgbackrest) archive-get %f "%p""#
            return .init(
                method: ClusterConfiguration.ReplicaMethod.pgbackrest.rawValue, replica: replica.reveal(),
                keepsData: true, segment: segment.reveal())
        }
    }
}
