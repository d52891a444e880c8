public import Inventory
public import Secrets

/// What the inventory says of a cluster: decoded, complete and checked.
///
/// Variables keep the names that postgresql_cluster made customary; each property names its own.
public struct ClusterConfiguration: Sendable {
    /// `patroni_cluster_name`: the scope in the consensus store.
    public let name: String
    /// Group `etcd_cluster`; empty where there was an etcd before.
    public internal(set) var etcd: [Node]
    /// `dcs_exists`: an etcd that there was before, nil without one.
    public let existingEtcd: ExistingEtcd?
    /// Groups `master` and `replica`, the one of `master` first. It only says where a new cluster begins; who leads
    /// afterwards is asked from the cluster.
    public internal(set) var members: [Node]
    /// Group `balancers`.
    public internal(set) var balancers: [Node]
    public internal(set) var postgres: Postgres
    public let patroni: Patroni
    public let pooler: Pooler
    public let balancing: Balancing
    /// `postgresql_users`.
    public let users: [Role]
    /// `postgresql_databases`.
    public let databases: [Database]
    /// What the databases shall have in them.
    public let content: Content
    public let removal: Removal
    /// `pgbackrest_install`, nil without it.
    public let backups: Backups?
    /// `wal_g_install`, nil without it.
    public let walg: WALG?
    /// What of the operating system is set.
    public let system: SystemSettings
    /// `monitoring_install`, nil without it.
    public let monitoring: Monitoring?
    /// `postgresql_exists`: the member of `master` whose database, made by somebody else, becomes the cluster's.
    public let existingServer: String?
    /// `tls_enable`, nil without it.
    public let tls: TLS?
    /// `patroni_cluster_bootstrap_method: pgbackrest`: the backup of another cluster with which a new one begins.
    public let source: BackupSource?

    /// The settings of PostgreSQL.
    public struct Postgres: Sendable {
        /// `postgresql_version`: the major version, that of the platform unless the inventory says one.
        public var version: Int { declaredVersion ?? platform.postgres.version }
        let declaredVersion: Int?
        /// The platform of the members.
        var platform = Platform.assumed
        /// `postgresql_port`.
        public let port: Int
        /// `postgresql_data_dir`.
        public var dataDirectory: String { declaredDirectory ?? platform.postgres.dataDirectory(version) }
        let declaredDirectory: String?
        /// `postgresql_locale`.
        public let locale: String
        /// `postgresql_parameters`.
        public internal(set) var parameters: [Parameter]
        /// `postgresql_pg_hba`: who may log in, besides the cluster itself.
        public let accessRules: [AccessRule]
        /// `local_postgresql_parameters`: those of single members, by their names.
        public var localParameters: [String: [Parameter]] = [:]
        /// `postgresql_pg_ident`: lines of `pg_ident.conf`.
        public var identityMaps: [IdentityMap] = []
        /// `postgresql_packages`: what the members need besides, such as extensions.
        public internal(set) var packages: [String]

        /// The package of the server.
        var package: String { platform.postgres.package(version) }

        public var binaryDirectory: String { platform.postgres.binaryDirectory(version) }
    }

    /// The settings of Patroni.
    public struct Patroni: Sendable {
        /// `patroni_restapi_port`.
        public let restPort: Int
        /// `patroni_ttl`, seconds.
        public let ttl: Int
        /// `patroni_loop_wait`, seconds.
        public let loopWait: Int
        /// `patroni_retry_timeout`, seconds.
        public let retryTimeout: Int
        /// `patroni_master_start_timeout`, seconds: how long a leader that crashed may take to come back before another one
        /// leads.
        public let primaryStartTimeout: Int
        /// `patroni_maximum_lag_on_failover`, bytes.
        public let maximumLagOnFailover: Int
        public let synchronous: Synchronous
        /// `patroni_failsafe_mode`: whether the leader goes on without etcd as long as it reaches all members.
        public let failsafeMode: Bool
        /// `patroni_watchdog_mode`.
        public let watchdog: Watchdog
        public let rewind: Rewind
        /// `patroni_slots`: replication slots that outlive a failover.
        public let slots: [Slot]
        /// `patroni_tags` of each member, by its name.
        public let tags: [String: Tags]
        /// `patroni_superuser_password`; the name is always `postgres`.
        public let superuser: Login
        /// `patroni_replication_username`, `patroni_replication_password`.
        public let replication: Login
        /// `patroni_restapi_username`, `patroni_restapi_password`: what the REST API wants for what changes something.
        public let restLogin: Login
        /// `patroni_log_level` and its like.
        public var log = Log()
        /// `patroni_callbacks`, `patroni_pre_promote`, `patroni_before_stop`.
        public var hooks = Hooks()
        /// `basebackup`: the options of `pg_basebackup` with which replicas are cloned.
        public let baseBackup: [Parameter]
        /// `patroni_create_replica_methods`, in the order in which they are tried.
        public let replicaMethods: [ReplicaMethod]
        /// `patroni_standby_cluster`: the cluster that this one follows; nil when it is one of its own.
        public let standby: StandbySource?

        /// The directory of all clusters in the consensus store.
        public static let namespace = "service"
    }

    /// The settings of PgBouncer.
    public struct Pooler: Sendable {
        /// `pgbouncer_listen_port`.
        public let port: Int
        /// `pgbouncer_pool_mode`.
        public let mode: Mode
        /// `pgbouncer_default_pool_size`, connections a user and database.
        public let defaultPoolSize: Int
        /// `pgbouncer_max_client_conn`.
        public let maxClientConnections: Int
        /// `pgbouncer_pools`.
        public let pools: [Pool]
        /// `pgbouncer_query_wait_timeout`, seconds.
        public let queryWaitTimeout: Int
        /// `pgbouncer_ignore_startup_parameters`.
        public let ignoredParameters: String
        /// `pgbouncer_max_db_connections` and `pgbouncer_options`, by the names that PgBouncer has for them.
        public let options: [Pool.Parameter]
        /// `pgbouncer_auth_username`, `pgbouncer_auth_password`: the role that looks up the others' passwords.
        public let login: Login
        /// `pgbouncer_max_prepared_statements`: of each connection to the server, 0 for none; nil as PgBouncer has it.
        public let preparedStatements: Int?
        public let tls: TLS

        /// When a server connection returns to the pool.
        public enum Mode: String, CaseIterable, Sendable {
            case session, transaction, statement
        }
    }

    /// The VIP, and the settings of HAProxy and keepalived.
    public struct Balancing: Sendable {
        /// `cluster_vip`: the address that clients use, or nil when nobody holds one.
        public let address: String?
        /// `vip_interface`.
        public let interface: String
        /// `cluster_vip_prefix`, bits.
        public let prefix: Int
        /// `keepalived_virtual_router_id`, 1 to 255; by default the last number of the address.
        public let routerID: Int
        /// `haproxy_maxconn`, `haproxy_maxconn_global`.
        public let limits: Limits
        /// `haproxy_timeout`.
        public let timeouts: Timeouts
        /// `haproxy_listen_port`.
        public let ports: Ports
        /// How often HAProxy checks a server that is well, in milliseconds: `patroni_preset`.
        public let checkInterval: Int
        /// `haproxy_extra_lines`.
        public let extraLines: ExtraLines
        /// `balancer_tags` of each balancer, by its name.
        public let tags: [String: [String: String]]
    }

    /// What `remove-cluster` may do.
    public struct Removal: Sendable {
        /// `cluster_protected`: whether the cluster must not be removed. True unless the inventory says otherwise.
        public let isProtected: Bool
        /// `remove_postgres`: the members, their balancers and the address.
        public let postgres: Bool
        /// `remove_etcd`: etcd, unless others use it too.
        public let etcd: Bool
    }

    /// A name and a password with which one part of the cluster logs in to another.
    public struct Login: Sendable {
        public let name: String
        public let password: Secret
    }

    /// A role that the cluster shall have.
    public struct Role: Sendable, Equatable {
        public let name: String
        /// Nil for a role that has none, or whose password is somebody else's business.
        public let password: Secret?
        /// In the words of `CREATE ROLE`: `SUPERUSER`, `CREATEDB` …
        public let flags: [Flag]
        /// Nil for a role that cannot when it is made, and may be allowed to by somebody else.
        public var canLogIn: Bool? = true
        /// Whether it inherits the privileges of its roles; nil if Drover does not manage that.
        public var inherits: Bool?
        /// How many connections it may have at a time, -1 for any number; nil if Drover does not manage that.
        public var connectionLimit: Int?
        /// Until when its password is valid; nil if Drover does not manage that.
        public var expiry: Expiry?
        /// The roles that it belongs to, besides those that somebody else has put it into.
        public var memberOf: [String] = []

        /// Until when a password counts.
        public enum Expiry: Sendable, Hashable {
            case never
            case at(Moment)
        }

        /// An attribute of a role.
        public enum Flag: String, CaseIterable, Sendable {
            case superuser = "SUPERUSER"
            case createDatabase = "CREATEDB"
            case createRole = "CREATEROLE"
            case replication = "REPLICATION"
            case bypassRowSecurity = "BYPASSRLS"
        }
    }

    /// A database that the cluster shall have.
    public struct Database: Sendable, Equatable {
        public let name: String
        public let owner: String
        /// How its texts are stored, sorted and classified; nil as in `template1`. They are settled when it is made.
        public var encoding: String?
        public var collation: String?
        public var characters: String?
        /// How many connections it takes at a time, nil when that is somebody else's business.
        public var connectionLimit: Int?
    }

    /// A parameter of PostgreSQL.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: String

        /// Whether it must be the same on all members, so that Patroni takes it from the consensus store alone and
        /// ignores it in a member's own file.
        public var isClusterWide: Bool { Parameter.clusterWide.contains(name) }

        /// Patroni 3.0, "Important configuration rules" of its documentation.
        private static let clusterWide: Set = [
            "max_connections", "max_locks_per_transaction", "max_worker_processes", "max_prepared_transactions",
            "wal_level", "track_commit_timestamp", "max_wal_senders", "max_replication_slots", "wal_keep_size",
            "wal_keep_segments", "wal_log_hints",
        ]
    }

    /// Every host that has a part in the cluster, once.
    public var hosts: [Host] { nodes.map(\.host) }

    /// The directory of this cluster in the consensus store, `/service/NAME/` unless that has another namespace.
    public var path: String { "/\(namespace)/\(name)/" }
}
