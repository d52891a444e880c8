public import Drover
public import Inventory
import Secrets
import SystemResources
import Templates

/// What goes into `/etc/patroni/config.yml`.
struct PatroniConfiguration: ConfigurationFile {
    static let template = "patroni.yml"

    struct Login: Codable {
        let name: String
        @TemplateSecret var password: Secret
    }

    struct Parameter: Codable {
        let name: String
        let value: String
    }

    let scope: String
    let namespace: String
    let name: String
    let address: String
    let port: Int
    let restPort: Int
    let etcd: [Peer]
    let members: [Peer]
    let ttl: Int
    let loopWait: Int
    let retryTimeout: Int
    let maximumLagOnFailover: Int
    let synchronousMode: Bool
    let clusterParameters: [Parameter]
    let localParameters: [Parameter]
    let locale: String
    let dataDirectory: String
    let binaryDirectory: String
    let superuser: Login
    let replication: Login
    let replicaMethods: [String]
    /// How a replica is restored from a backup, and how a segment is had from the archive; nil without backups.
    let restoration: Restoration?

    struct Restoration: Codable {
        let replica: String
        let segment: String
    }

    enum CodingKeys: String, CodingKey {
        case scope, namespace, name, address, port, restPort = "rest_api_port", etcd, members, ttl
        case loopWait = "loop_wait", retryTimeout = "retry_timeout"
        case maximumLagOnFailover = "maximum_lag_on_failover", synchronousMode = "synchronous_mode"
        case clusterParameters = "cluster_parameters", localParameters = "local_parameters", locale
        case dataDirectory = "data_directory", binaryDirectory = "binary_directory", superuser, replication
        case replicaMethods = "replica_methods", restoration
    }
}

/// What goes into the drop-in of Patroni's unit.
struct PatroniUnitConfiguration: ConfigurationFile {
    static let template = "patroni.service.conf"
}

/// What keeps the packages of PostgreSQL from making a cluster of their own.
struct CreateClusterConfiguration: ConfigurationFile {
    static let template = "createcluster.conf"
}

extension Cluster {
    /// `python3-etcd` is what Patroni speaks to etcd with; it is only one of several that the package would accept.
    var patroniPackages: [String] {
        ["postgresql-\(configuration.postgres.version)", "patroni", "python3-etcd"]
    }

    /// Keeps the packages of PostgreSQL from making a cluster when they are installed.
    @ResourceBuilder
    func noClusterOfThePackages(on host: Host) throws -> [any Resource] {
        if member(host) != nil {
            Directory("/etc/postgresql-common/createcluster.d")
            File(
                "/etc/postgresql-common/createcluster.d/drover.conf",
                containing: try templates.render(CreateClusterConfiguration()))
        }
    }

    /// One member: Patroni makes its database or clones it, and it leads or streams from who leads.
    @ResourceBuilder
    public func patroni(on host: Host) throws -> [any Resource] {
        if let node = member(host) {
            Directory(dataParent, owner: "postgres", group: "postgres")
            File(
                "/etc/patroni/config.yml", containing: try templates.render(patroniConfiguration(of: node)),
                owner: "postgres", group: "postgres", mode: 0o600)
            Directory("/etc/systemd/system/patroni.service.d")
            File(
                "/etc/systemd/system/patroni.service.d/drover.conf",
                containing: try templates.render(PatroniUnitConfiguration()))
            Service("patroni", reloadedBy: ["/etc/patroni/config.yml"])
            takesPart(node)
        }
    }

    private func takesPart(_ node: Node) -> Condition {
        let api = "\(node.address):\(configuration.patroni.restPort)"
        let own = PatroniStatus.own(at: api)
        let catalog = catalog
        let streams = catalog.script(
            running: "SELECT 'streams' FROM pg_stat_wal_receiver WHERE status = 'streaming';")
        let ask = "curl --silent --noproxy '*' --max-time 2"
        return Condition(
            "PostgreSQL leads or streams", signs: [own, catalog],
            test: "\(ask) --fail http://\(api)/primary || { \(streams.reveal())} | grep -q streams",
            unit: "patroni.service", failure: vain(state: "\(ask) http://\(api)/patroni"), timeout: 3600
        ) { facts in
            let answer = try facts[catalog]
            guard let role = try facts[own].patroni(PatroniStatus.Own.self)?.role else { return false }
            return answer.isRunning && (role == "replica" ? answer.isStreaming : !answer.isInRecovery)
        }
    }

    /// Waiting is in vain when Patroni says that something failed, or when a replica runs for five minutes without
    /// streaming: its history is then another one than the leader's, or the leader has removed what it needs.
    private func vain(state: String) -> String {
        """
        state=$(\(state))
        case $state in
        *'"state": "'*failed'"'*) true ;;
        *'"state": "running"'*) [ "$(date +%s)" -ge $(( ${runs_since:=$(date +%s)} + 300 )) ] ;;
        *) false ;;
        esac
        """
    }

    /// The catalogue that tells of a member's part, its roles and its databases.
    var catalog: PostgresCatalog { PostgresCatalog(of: configuration, databases: databasesWithLookup) }

    private var dataParent: String {
        "/" + configuration.postgres.dataDirectory.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func patroniConfiguration(of node: Node) -> PatroniConfiguration {
        let patroni = configuration.patroni
        let postgres = configuration.postgres
        let parameters = postgres.parameters + archiveParameters
        return PatroniConfiguration(
            scope: configuration.name, namespace: ClusterConfiguration.Patroni.namespace, name: node.name,
            address: node.address, port: postgres.port, restPort: patroni.restPort,
            etcd: configuration.etcd.map(Peer.init),
            members: configuration.members.map(Peer.init),
            ttl: patroni.ttl, loopWait: patroni.loopWait, retryTimeout: patroni.retryTimeout,
            maximumLagOnFailover: patroni.maximumLagOnFailover, synchronousMode: patroni.synchronousMode,
            clusterParameters: parameters.filter(\.isClusterWide).map { .init(name: $0.name, value: $0.value) },
            localParameters: parameters.filter { !$0.isClusterWide }.map { .init(name: $0.name, value: $0.value) },
            locale: postgres.locale,
            dataDirectory: postgres.dataDirectory, binaryDirectory: postgres.binaryDirectory,
            superuser: .init(name: patroni.superuser.name, password: patroni.superuser.password),
            replication: .init(name: patroni.replication.name, password: patroni.replication.password),
            replicaMethods: patroni.replicaMethods.map(\.rawValue), restoration: restoration)
    }
}
