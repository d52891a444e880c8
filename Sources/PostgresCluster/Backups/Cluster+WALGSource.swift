import Engine
import Inventory
import Secrets
import SystemResources

/// A new cluster beside the backups of WAL-G that there are: those of its own place must be none, and those with which it begins
/// must be there.
extension Cluster {
    /// How Patroni makes the database of a new cluster from a backup of WAL-G; nil when it does not.
    var walgBeginning: PatroniConfiguration.Beginning? {
        guard let walg = configuration.walg, let source = walg.source else { return nil }
        let data = ShellText.quoting(configuration.postgres.dataDirectory)
        let settings = ClusterConfiguration.WALG.sourcePath
        let fetch = walg.command(
            "backup-fetch \(data) \(quoting: source.label ?? WALGSource.newest)", settings: settings)
        // What ALTER SYSTEM had set there would have this cluster write into the archive of the other one.
        let script: ShellText = """
            install -d -m 0700 \(data) && \(fetch) && { [ ! -e \(data)/postgresql.auto.conf ] || sed -i '/^archive_/d' \
            \(data)/postgresql.auto.conf; } && rm -f \(data)/patroni.dynamic.json
            """
        // Exit status 74 says that the archive does not have it. Any other failure must not pass for the end of the log.
        let segment = walg.command(#"wal-fetch "%f" "%p""#, settings: settings)
        let command: ShellText = "/bin/sh -c \(quoting: script)"
        return .init(
            method: BackupSource.Method.walG.rawValue, command: command.reveal(),
            recovery: [
                .init(name: "restore_command", value: "\(segment.reveal()) || { [ $? = 74 ] && exit 1 || exit 255; }")
            ]
                + source.recovery.map { .init(name: $0.name, value: $0.value) })
    }

    private var sourceArchive: WALGBackups? {
        configuration.walg?.source.map { configuration.backups(of: $0.options, called: "the other cluster") }
    }

    /// Looks for what a new cluster would find in its archive, and for the backup with which it begins.
    @ResourceBuilder
    var walgExamination: [any Resource] {
        if let walgBackups { Examination(name: "archive of the new cluster", questions: [walgBackups]) }
        if let sourceArchive {
            Examination(
                name: "backup to begin with", questions: [sourceArchive],
                remarks: ["the cluster begins with a backup of another one, and has its system identifier"])
        }
    }

    /// What keeps the cluster from beginning with a backup of WAL-G, as far as it is known.
    var walgSourceObstacles: [String] {
        guard let source = configuration.walg?.source, let sourceArchive else { return [] }
        let answers = configuration.members.compactMap { observed[$0.host].ifKnown(sourceArchive) }
        guard let answer = answers.first(where: { $0.stanza != nil }), let stanza = answer.stanza else { return [] }
        return source.obstacles(given: stanza, at: answer.now, version: configuration.postgres.version)
    }
}

extension WALGSource {
    /// What keeps a cluster from beginning with it.
    func obstacles(given archive: PgBackRestInfo.Stanza, at now: Int, version: Int) -> [String] {
        guard let oldest = archive.backup.first, let newest = archive.backup.last else {
            return ["there is no backup at the place that wal_g_source_json names"]
        }
        var found: [String] = []
        if let theirs = archive.db.last?.version, theirs != "\(version)" {
            found.append(
                "its database is of PostgreSQL \(theirs), and this cluster of \(version): they must be the same")
        }
        let chosen = archive.backup.first { $0.label == label }
        if let label, chosen == nil {
            found.append("there is no backup \(label): the newest is \(newest.label), the oldest \(oldest.label)")
        }
        if let moment, let chosen, Moment(seconds: chosen.timestamp.stop) >= moment {
            let fit = archive.backup.last { Moment(seconds: $0.timestamp.stop) < moment }?.label
            found.append(
                "the backup \(chosen.label) ends after the target: " + (fit.map { "\($0) does not" } ?? "so do all"))
        }
        if let moment, Moment(seconds: now) < moment { found.append("the target lies in the future") }
        return found
    }
}
