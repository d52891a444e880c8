public import Drover
public import Inventory
import Secrets
import SystemResources
import Templates

/// What goes into `/etc/pgbackrest.conf`, where Debian's package has its own.
struct PgBackRestConfiguration: ConfigurationFile {
    static let template = "pgbackrest.conf"
    static let path = "/etc/pgbackrest.conf"

    struct Option: Codable {
        let name: String
        let value: String
    }

    struct SecretOption: Codable {
        let name: String
        @TemplateSecret var value: Secret
    }

    struct Server: Codable {
        let number: Int
        /// Nil for the server of this host.
        let address: String?
        /// Nil for the customary one.
        let sshPort: Int?

        enum CodingKeys: String, CodingKey {
            case number, address, sshPort = "ssh_port"
        }
    }

    let options: [Option]
    let secrets: [SecretOption]
    let stanza: String
    let servers: [Server]
    let dataDirectory: String
    let port: Int

    enum CodingKeys: String, CodingKey {
        case options, secrets, stanza, servers, dataDirectory = "data_directory", port
    }
}

/// What goes into the program that the timers run.
struct BackupScript: ConfigurationFile {
    static let template = "pgbackrest.sh"

    let stanza: String
    /// The shell text that succeeds when this member leads; nil on the host of the repository.
    let leads: String?
    /// Whether replicas may be there to read from.
    let sparesLeader: Bool

    enum CodingKeys: String, CodingKey {
        case stanza, leads, sparesLeader = "spares_leader"
    }

    static let path = "/usr/local/sbin/pgbackrest-backup"

    /// The shell text that makes a backup.
    static func order(_ kind: BackupKind, as user: String) -> String {
        "cd /\n" + Shell.words(["runuser", "-u", user, "--", path, kind.rawValue])
    }
}

extension Cluster {
    static let backupPackages = ["pgbackrest"]

    /// Where backups are made: the host of the repository, or whoever leads.
    public var backupMakers: [Host] {
        guard let backups = configuration.backups else { return [] }
        return [backups.host?.host ?? leader.host]
    }

    /// What pgBackRest needs on a host before the cluster's log is archived.
    @ResourceBuilder
    public func pgbackrest(on host: Host) throws -> [any Resource] {
        if let backups = configuration.backups {
            let user = backupUser(on: host)
            if user != "postgres" { User(login: user) }
            Directory(
                ClusterConfiguration.Backups.directory(in: "log", of: user), owner: user, group: user, mode: 0o750)
            if backups.storage == .posix, backups.host.map({ $0.name == host.name }) ?? true {
                Directory(backups.path, owner: user, group: user, mode: 0o750)
            }
            // pgBackRest would read this one instead.
            try Absent("/etc/pgbackrest/pgbackrest.conf")
            File(
                PgBackRestConfiguration.path,
                containing: try templates.render(pgbackrestConfiguration(on: host, backups)),
                owner: user, group: user, mode: 0o640)
            try backupKey(on: host)
        }
    }

    /// The stanza, by which the repository knows the cluster.
    @ResourceBuilder
    public func stanza(on host: Host) -> [any Resource] {
        if let info { Stanza(info: info) }
    }

    /// The first backup, for which the archive must work.
    @ResourceBuilder
    public func firstBackup(on host: Host) -> [any Resource] {
        if let info { FirstBackup(info: info, isArchiving: backupSightings.archivers[leader.name]?.isOn) }
    }

    /// The hosts on which timers look after the backups: every member may come to lead.
    public var backupKeepers: [Host] {
        guard let backups = configuration.backups else { return [] }
        return backups.host.map { [$0.host] } ?? configuration.members.map(\.host)
    }

    /// What makes backups when their time has come.
    @ResourceBuilder
    public func backupTimers(on host: Host) throws -> [any Resource] {
        if let backups = configuration.backups {
            File(
                BackupScript.path, containing: try templates.render(backupScript(on: host, backups)), mode: 0o755,
                checkedBy: "sh -n")
            for kind in BackupKind.allCases {
                if let moment = backups.schedule[kind] {
                    try Timer(
                        "pgbackrest-\(kind.rawValue)", at: [moment], within: 60, as: backups.user,
                        running: "\(BackupScript.path) \(kind.rawValue)")
                } else {
                    StoppedService("pgbackrest-\(kind.rawValue).timer")
                }
            }
        }
    }

    var info: PgBackRestInfo? { BackupQuestions(configuration: configuration).info }

    /// What PostgreSQL must be told, so that its log gets into the archive. An idle cluster archives twice an hour.
    var archiveParameters: [ClusterConfiguration.Parameter] {
        guard let backups = configuration.backups else { return [] }
        // With an empty command PostgreSQL keeps its log for a later one, so that the archive will have no hole.
        let push = leavesArchivingOff ? "" : #"pgbackrest --stanza=\#(backups.stanza) archive-push "%p""#
        let given = configuration.postgres.parameters.map(\.name)
        return [("archive_mode", "on"), ("archive_command", push), ("archive_timeout", "1800s")]
            .filter { !given.contains($0.0) }.map { .init(name: $0.0, value: $0.1) }
    }

    private func backupScript(on host: Host, _ backups: ClusterConfiguration.Backups) -> BackupScript {
        let question = member(host).map { api($0).get("/primary", "--fail --max-time 5 --output /dev/null") }
        return BackupScript(
            stanza: backups.stanza, leads: backups.host == nil ? question : nil,
            sparesLeader: backups.host != nil && configuration.members.count > 1)
    }

    func pgbackrestConfiguration(
        on host: Host, _ backups: ClusterConfiguration.Backups
    ) -> PgBackRestConfiguration {
        let options = options(on: host, backups)
        let isRepository = host.name == backups.host?.name
        let servers: [PgBackRestConfiguration.Server] =
            isRepository
            ? configuration.members.enumerated().map {
                .init(number: $0 + 1, address: $1.address, sshPort: $1.host.port)
            } : [.init(number: 1, address: nil, sshPort: nil)]
        return PgBackRestConfiguration(
            options: options.filter { !$0.value.hasSecrets }.map { .init(name: $0.name, value: $0.value.reveal()) },
            secrets: options.filter(\.value.hasSecrets).map {
                .init(name: $0.name, value: Secret($0.value.reveal()))
            },
            stanza: backups.stanza, servers: servers, dataDirectory: configuration.postgres.dataDirectory,
            port: configuration.postgres.port)
    }

    /// A member that reaches the repository through another host knows nothing of it: no store, no passphrase.
    private func options(on host: Host, _ backups: ClusterConfiguration.Backups) -> [BackupOption] {
        func option(_ name: String, _ value: String) -> BackupOption { .init(name: name, value: MaskedText(value)) }
        let general = backups.options.filter { !$0.isOfRepository }
        if let repository = backups.host, repository.name != host.name {
            var reach = [option("repo1-host", repository.address), option("repo1-host-user", backups.user)]
            if let port = repository.host.port { reach.append(option("repo1-host-port", "\(port)")) }
            return reach + general
        }
        let cipher = backups.options.contains { $0.name == "repo1-cipher-pass" }
        let log = ClusterConfiguration.Backups.directory(in: "log", of: backups.user)
        return [option("log-path", log), option("repo1-type", backups.storage.rawValue)]
            + backups.options.filter(\.isOfRepository)
            + (cipher ? [option("repo1-cipher-type", "aes-256-cbc")] : []) + general
    }
}

extension Cluster {
    /// How replicas are made. While nothing is archived, a backup leads along the timeline that was left.
    var replicaMethods: [ClusterConfiguration.ReplicaMethod] {
        leavesArchivingOff ? [.basebackup] : configuration.patroni.replicaMethods
    }

    /// How Patroni gets a replica and a segment back.
    var restoration: PatroniConfiguration.Restoration? {
        configuration.backups.map { backups in
            let pgbackrest = "/usr/bin/pgbackrest --stanza=\(backups.stanza)"
            return .init(
                replica: "\(pgbackrest) --delta --type=standby restore",
                segment: #"\#(pgbackrest) archive-get %f "%p""#)
        }
    }
}
