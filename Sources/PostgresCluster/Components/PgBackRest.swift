public import Engine
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
    static let timer = "pgbackrest"

    /// The shell text that makes a backup.
    static func order(_ kind: BackupKind, as user: String) -> ShellText {
        "cd /\n\(words: ["runuser", "-u", user, "--", path, kind.rawValue])"
    }
}

extension Cluster {
    /// What pgBackRest needs on a host before the cluster's log is archived.
    @ResourceBuilder
    func pgbackrest(on host: Host) throws -> [any Resource] {
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

    /// What makes backups with pgBackRest when their time has come.
    @ResourceBuilder
    func pgbackrestTimers(on host: Host) throws -> [any Resource] {
        if let backups = configuration.backups {
            File(
                BackupScript.path, containing: try templates.render(backupScript(on: host, backups)), mode: 0o755,
                checkedBy: "sh -n")
            try timers(BackupScript.timer, backups.schedule, as: backups.user, running: BackupScript.path)
        }
    }

    var info: PgBackRestInfo? { BackupQuestions(configuration: configuration).info }

    private func backupScript(on host: Host, _ backups: ClusterConfiguration.Backups) -> BackupScript {
        let question = member(host).map { api($0).get("/primary", "--fail --max-time 5 --output /dev/null") }
        return BackupScript(
            stanza: backups.stanza, leads: backups.host == nil ? question?.reveal() : nil,
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
