public import ArgumentParser
import Diagnostics
public import Engine
public import Inventory
import Secrets

/// Proves that the newest backup can be restored: it is, beside the cluster, started, read, and removed.
public struct BackupVerification: Playbook {
    public static let name = "backup-verify"
    public static let abstract = "Restore the newest backup beside the cluster, start it, check it, and remove it."

    @Option(help: "The member on which it is done; the first one that does not lead unless told otherwise.")
    public var on: String?

    @Option(help: .hidden)
    public var mark: String = ErrandMark.new()

    public init() {}

    public func model(of inventory: Inventory) throws -> ClusterModel {
        let model = ClusterModel(
            configuration: try ClusterConfiguration(inventory), templates: try ClusterTemplates.installed())
        let names = model.configuration.members.map(\.name)
        if let on, !names.contains(on) {
            throw Diagnostic(
                "'\(on)' has no PostgreSQL to start a backup with",
                remedy: "name one of \(names.joined(separator: ", "))")
        }
        return model
    }

    public func hosts(of model: ClusterModel) -> [Host] { model.configuration.hosts }

    public func questions(of host: Host, in model: ClusterModel) -> [any Fact] {
        ClusterQuestions(configuration: model.configuration).questions(of: host)
            + BackupQuestions(configuration: model.configuration).questions(of: host)
    }

    public func plays(for model: ClusterModel, observed: Observations) throws -> [Play] {
        let configuration = model.configuration
        let backups = try configuration.requiredBackups(for: "backup verify")
        guard let told = BackupQuestions(configuration: configuration).told(given: observed) else { return [] }
        try told.stanza?.refuseUnlessKnown()
        guard let newest = told.newest else {
            throw Refusal(
                "there is no backup of '\(backups.stanza)'"
                    + (told.stanza.map { ": \($0.message)" } ?? ": the repository does not answer"),
                remedies: ["`drover backup now` makes one"])
        }
        let cluster = Cluster(
            configuration: configuration,
            state: ClusterQuestions(configuration: configuration).state(given: observed), templates: model.templates)
        guard
            let node = configuration.members.first(where: { $0.name == on }) ?? cluster.replicas.first
                ?? configuration.members.first
        else { return [] }
        return [
            Play("Try the newest backup", on: [node.host]) { _ in
                Errand(
                    errand: "backup-verify", mark: mark,
                    summary: "restore the backup \(newest.label), start it, check it, and remove it",
                    script: Trial(backup: newest, configuration: configuration, backups: backups).script)
            }
        ]
    }
}

/// How a backup is tried beside a member's own database.
struct Trial {
    let backup: PgBackRestInfo.Backup
    let configuration: ClusterConfiguration
    let backups: ClusterConfiguration.Backups

    /// Beside the data directory, where there is room for a database if anywhere.
    private var scratch: String { configuration.postgres.dataDirectory + ".trial" }

    /// The server listens on a socket in a folder that is its own, archives nothing, and needs little memory. The digests
    /// of the files are compared while they are restored, the catalogues of all databases are read, and then every page is
    /// checked.
    var script: ShellText {
        let binaries = ShellText.quoting(configuration.postgres.binaryDirectory)
        let restore = ShellText.words([
            "pgbackrest", "--stanza=\(backups.stanza)", "--set=\(backup.label)", "--pg1-path=\(scratch)/data",
            "--tablespace-map-all=\(scratch)/tablespaces", "--type=immediate", "--target-action=promote",
            "--archive-mode=off", "restore",
        ])
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(scratch)", "port=5432", "cluster_name=trial",
            "archive_mode=off", "hot_standby=off", "synchronous_standby_names=", "primary_conninfo=", "ssl=off",
            "logging_collector=off", "shared_buffers=32MB", "max_connections=20", "max_wal_senders=5",
        ].map { "-c \(trusted: $0, because: "the path of the data is one of plain characters")" as ShellText }
            .joined(separator: " ")
        let user = ShellText.quoting(configuration.patroni.superuser.name)
        let seclusion = Seclusion(
            cluster: configuration.postgres.dataDirectory, directory: scratch + "/tablespaces-of-the-log")
        return """
            scratch=\(quoting: scratch)
            \(seclusion.definition)
            as_postgres() { runuser -u postgres -- "$@"; }
            end() {
                [ ! -e "$scratch/data/postmaster.pid" ] || as_postgres \(binaries)/pg_ctl stop -s -w -m immediate -D "$scratch/data" || :
                as_holder "$scratch" rm -rf --one-file-system -- "$scratch"
            }
            fail() { echo "the last lines of its log:"; as_postgres tail -n 20 "$scratch/log"; exit 1; }
            cd /
            end
            trap end EXIT
            trap 'exit 143' HUP INT TERM
            room=$(df --output=avail --block-size=1 -- \(quoting: parent) | tail -n 1)
            [ "$room" -ge \(backup.info.size + backup.info.size / 10) ] || {
                echo "\(inDoubleQuotes: parent) has room for $room bytes, the backup wants \(backup.info.size) and a tenth more"
                exit 1
            }
            make_directory "$scratch" postgres:postgres 0700
            as_postgres mkdir -m 0700 "$scratch/data" "$scratch/tablespaces"
            as_postgres \(restore)
            \(Seclusion.mounted) \\
                runuser -u postgres -- \(binaries)/pg_ctl start -s -w -t 86400 -D "$scratch/data" -l "$scratch/log" -o \(quoting: settings) || fail
            # It is started when it begins to recover, and lets nobody in before it has.
            until as_postgres \(binaries)/pg_isready -q -h "$scratch" -p 5432; do
                as_postgres \(binaries)/pg_ctl status -D "$scratch/data" >/dev/null || fail
                sleep 0.2
            done
            resettle "$scratch/data"
            as_postgres \(binaries)/pg_dumpall --schema-only -h "$scratch" -p 5432 -U \(user) -f "$scratch/schema"
            as_postgres \(binaries)/pg_ctl stop -s -w -t 86400 -m fast -D "$scratch/data"
            if as_postgres \(binaries)/pg_controldata -D "$scratch/data" | grep -q 'checksum version: *[1-9]'; then
                as_postgres \(binaries)/pg_checksums --check -D "$scratch/data"
            fi
            """
    }

    private var parent: String {
        "/" + configuration.postgres.dataDirectory.split(separator: "/").dropLast().joined(separator: "/")
    }
}
