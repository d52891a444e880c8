import Engine
import Inventory
import Secrets
import SystemResources

extension ClusterConfiguration.WALG {
    /// Where it stands how the backups of another cluster are reached.
    static let sourcePath = "/var/lib/postgresql/.walg.source.json"

    /// The program with its settings, as PostgreSQL and Patroni call it.
    func command(_ order: ShellText, settings: String = path) -> ShellText {
        "\(quoting: program) --config \(quoting: settings) \(order)"
    }

    static let timer = "wal-g"
}

extension ClusterConfiguration {
    /// Asked by the settings that a member is to have: who has the program already can tell before anything is touched.
    func backups(of options: [WALGOption], called archive: String? = nil) -> WALGBackups {
        WALGBackups(archive: archive ?? name, program: walg?.program ?? "", settings: walgSettings(options))
    }
}

extension Cluster {
    /// What WAL-G needs on a member before the cluster's log is archived.
    @ResourceBuilder
    func walg(on host: Host) throws -> [any Resource] {
        if let walg = configuration.walg {
            if case .file(let file) = walg.origin {
                // A program for other machines, or none at all, would be noticed when nothing gets into the archive.
                DeliveredFile(
                    walg.program, from: file, mode: 0o755, checkedBy: #"sh -c '"$1" --version >/dev/null' check"#)
            }
            if let folder = walg.folder { Directory(folder, owner: "postgres", group: "postgres", mode: 0o750) }
            Directory(walg.prefetchFolder, owner: "postgres", group: "postgres", mode: 0o700)
            settings(walg.options, at: ClusterConfiguration.WALG.path)
            if let source = walg.source {
                settings(source.options, at: ClusterConfiguration.WALG.sourcePath)
            } else {
                try Absent(ClusterConfiguration.WALG.sourcePath)
            }
        }
    }

    @ResourceBuilder
    private func settings(_ options: [WALGOption], at path: String) -> [any Resource] {
        File(
            path, containing: configuration.walgSettings(options), owner: "postgres", group: "postgres", mode: 0o600)
    }

    /// What makes backups with WAL-G when their time has come.
    @ResourceBuilder
    func walgTimers(on host: Host) throws -> [any Resource] {
        if let walg = configuration.walg, let node = member(host) {
            let leads = api(node).get("/primary", "--fail --max-time 5 --output /dev/null")
            File(
                WALGScript.path,
                containing: try templates.render(
                    WALGScript(
                        program: walg.program, settings: ClusterConfiguration.WALG.path, leads: leads.reveal(),
                        dataDirectory: configuration.postgres.dataDirectory, retention: walg.retention)),
                mode: 0o755, checkedBy: "sh -n")
            try timers(ClusterConfiguration.WALG.timer, walg.schedule, as: "postgres", running: WALGScript.path)
        }
    }

    /// The first backup, for which the archive must work: the store is asked first, for that tells at once what is wrong.
    var firstWALGBackup: FirstBackup<WALGBackups>? {
        guard let walg = configuration.walg, let question = walgBackups else { return nil }
        let ask: ShellText = "cd /\nrunuser -u postgres -- \(walg.command("backup-list")) >/dev/null\n"
        return FirstBackup(
            archive: question.archive, question: question,
            check: ask + ArchivedUpToNow(catalog: catalog, patience: 60).script,
            backup: backupOrder(.full), isArchiving: backupSightings.archivers[leader.name]?.isOn)
    }

    var walgBackups: WALGBackups? { BackupQuestions(configuration: configuration).walgBackups }
}
