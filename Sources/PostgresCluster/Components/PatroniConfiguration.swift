import Secrets
import Templates

/// What goes into `/etc/patroni/config.yml`.
struct PatroniConfiguration: ConfigurationFile {
    static let template = "patroni.yml"

    struct Login: Codable {
        let name: String
        @TemplateSecret var password: Secret
    }

    struct ExistingEtcd: Codable {
        struct Host: Codable {
            let name: String
            let port: Int
        }

        let hosts: [Host]
        let scheme: String
        let authority: String?
        let certificate: String?
        let key: String?
        let login: Login?
    }

    struct Parameter: Codable {
        let name: String
        let value: String
    }

    let scope: String
    let namespace: String
    let name: String
    let address: String
    /// Where PostgreSQL listens.
    let listening: String
    let port: Int
    let restPort: Int
    let etcd: [Peer]
    /// One that there was before; nil where the cluster has its own.
    let existingEtcd: ExistingEtcd?
    let asksOnlyThese: Bool
    let ttl: Int
    let loopWait: Int
    let retryTimeout: Int
    let maximumLagOnFailover: Int
    let primaryStartTimeout: Int
    let synchronousMode: Bool
    let synchronousModeStrict: Bool
    let synchronousNodeCount: Int
    let failsafeMode: Bool
    let usesRewind: Bool
    let removesDataOnRewindFailure: Bool
    let removesDataOnDivergedTimelines: Bool
    let watchdog: String
    let slots: [Slot]
    let tags: [Tag]
    /// Those of the inventory's own.
    let ownTags: [Parameter]
    /// The member from which it streams; nil for the leader.
    let upstream: String?
    let clusterParameters: [Parameter]
    let localParameters: [Parameter]
    /// Those that were derived from the host's memory.
    let memoryParameters: [Parameter]
    let memoryMark: String
    let baseBackup: [Parameter]
    let locale: String
    let dataDirectory: String
    let binaryDirectory: String
    let superuser: Login
    let replication: Login
    let restLogin: Login
    let tls: TLSFiles?
    /// The same towards an etcd of its own.
    let etcdTLS: TLSFiles?
    let accessRules: [AccessRule]
    /// Lines of `pg_ident.conf`.
    let identityMaps: [String]
    /// What it writes to the journal, or to files; nil for what it does by itself.
    let log: Log?
    let callbacks: [Parameter]
    /// Commands that it runs before it promotes or stops PostgreSQL.
    let hooks: [Parameter]
    let replicaMethods: [String]
    /// The cluster that is followed; nil without one.
    let standby: Standby?
    /// How a new cluster gets its database; nil when `initdb` makes it.
    let beginning: Beginning?
    /// How a replica is restored from a backup, and how a segment is had from the archive; nil without backups.
    let restoration: Restoration?

    /// A line of `pg_hba.conf`; the rest of one that holds a password is secret.
    struct AccessRule: Codable {
        let start: String
        private(set) var secret: TemplateSecret?

        init(_ line: String) {
            let pieces = ClusterConfiguration.AccessRule.masking(line).pieces
            var start = ""
            for piece in pieces {
                switch piece {
                case .plain(let text): start += Self.doublingQuotes(text)
                case .secret(let text):
                    secret = TemplateSecret(wrappedValue: Secret(Self.doublingQuotes(text.reveal())))
                }
            }
            self.start = start
        }

        /// As it stands in a single-quoted text of YAML.
        private static func doublingQuotes(_ text: String) -> String {
            text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined()
        }
    }

    struct Log: Codable {
        let level: String?
        let tracebackLevel: String?
        let format: String?
        let dateFormat: String?
        let loggers: [Parameter]
        let queueSize: Int?
        let files: Files?

        struct Files: Codable {
            let directory: String
            let count: Int
            let size: Int
        }

        enum CodingKeys: String, CodingKey {
            case level, tracebackLevel = "traceback_level", format, dateFormat = "date_format", loggers,
                queueSize = "max_queue_size", files
        }

        init(_ log: ClusterConfiguration.Patroni.Log) {
            level = log.level?.rawValue
            tracebackLevel = log.tracebackLevel?.rawValue
            format = log.format
            dateFormat = log.dateFormat
            loggers = log.loggers.map { Parameter(name: $0.name, value: $0.level.rawValue) }
            queueSize = log.queueSize
            files = log.files.map { Files(directory: $0.directory, count: $0.count, size: $0.size) }
        }
    }

    struct Slot: Codable {
        let name: String
        let type: String
        let database: String?
        let plugin: String?
    }

    struct Tag: Codable {
        let name: String
        let value: Bool
    }

    struct Standby: Codable {
        let host: String
        let port: Int
        let slot: String?
    }

    struct Beginning: Codable {
        let method: String
        let command: String
        /// How PostgreSQL recovers then; empty when the command has written that.
        var recovery: [Parameter] = []
    }

    struct Restoration: Codable {
        /// What it is called among the methods by which replicas are made.
        let method: String
        let replica: String
        /// Whether a directory that there is serves it.
        let keepsData: Bool
        let segment: String

        enum CodingKeys: String, CodingKey {
            case method, replica, keepsData = "keeps_data", segment
        }
    }

    enum CodingKeys: String, CodingKey {
        case scope, namespace, name, address, listening, port, restPort = "rest_api_port", etcd, existingEtcd =
            "existing_etcd", ttl
        case asksOnlyThese = "asks_only_these"
        case loopWait = "loop_wait", retryTimeout = "retry_timeout"
        case maximumLagOnFailover = "maximum_lag_on_failover", synchronousMode = "synchronous_mode"
        case primaryStartTimeout = "master_start_timeout", synchronousModeStrict = "synchronous_mode_strict"
        case synchronousNodeCount = "synchronous_node_count", failsafeMode = "failsafe_mode"
        case usesRewind = "use_pg_rewind", removesDataOnRewindFailure = "remove_data_directory_on_rewind_failure"
        case removesDataOnDivergedTimelines = "remove_data_directory_on_diverged_timelines", watchdog, slots, tags,
            ownTags = "own_tags",
            upstream
        case clusterParameters = "cluster_parameters", localParameters = "local_parameters", memoryParameters =
            "memory_parameters", memoryMark = "memory_mark", locale
        case baseBackup = "base_backup"
        case dataDirectory = "data_directory", binaryDirectory = "binary_directory", superuser, replication, restLogin =
            "rest_api_login", tls, etcdTLS = "etcd_tls"
        case accessRules = "access_rules", identityMaps = "identity_maps", log, callbacks, hooks
        case replicaMethods = "replica_methods", standby, beginning, restoration
    }
}
