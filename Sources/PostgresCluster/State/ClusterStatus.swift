public import Engine
public import Inventory
import SystemResources

/// The cluster as it is: who leads, who follows how far behind, what the parts around it say.
public struct ClusterStatus: Encodable, Sendable {
    /// A member by the word of the cluster.
    public struct Member: Encodable, Sendable {
        public let name: String
        /// `leader`, `replica`, `sync_standby`; nil when the cluster does not know it.
        public let role: String?
        /// `running`, `streaming`, `stopped` …; `unknown` when nobody tells.
        public let state: String
        public let timeline: Int?
        /// Bytes behind the leader, or nil when that is not known.
        public let lag: Int?
        /// The member from which it streams; nil when it does not, or when that is not known.
        public var source: String? = nil
        /// The connections of clients; nil when its server does not answer.
        public var connections: Connections? = nil
        /// Nil when the host of the member does not answer.
        public var pooler: Pooler? = nil

        /// Whether it is the leader, of a standby cluster too.
        public var isLeader: Bool { ["leader", "standby_leader"].contains(role) }
    }

    /// The connections of clients to a server.
    public struct Connections: Encodable, Sendable {
        public let count: Int
        /// `max_connections`.
        public let limit: Int?

        public init(count: Int, limit: Int?) {
            self.count = count
            self.limit = limit
        }
    }

    /// The pooler of a member.
    public struct Pooler: Encodable, Sendable {
        public let isAnswering: Bool
        /// The clients that wait for a connection to the server.
        public let waitingClients: Int
        /// Seconds that the first of them has waited.
        public let longestWait: Int

        public init(isAnswering: Bool, waitingClients: Int = 0, longestWait: Int = 0) {
            self.isAnswering = isAnswering
            self.waitingClients = waitingClients
            self.longestWait = longestWait
        }
    }

    /// A member of etcd.
    public struct Etcd: Encodable, Sendable {
        public let name: String
        public let isHealthy: Bool
    }

    /// What a balancer sees.
    public struct Balancer: Encodable, Sendable {
        public let name: String
        public let isServing: Bool
        /// The members to which it leads those who want to write.
        public let leader: [String]
        /// The members over which it spreads those who only read.
        public let replicas: [String]
        public let holdsAddress: Bool
    }

    public let cluster: String
    public let members: [Member]
    public let etcd: [Etcd]
    /// The address of the cluster, or nil when it has none.
    public let address: String?
    public let balancers: [Balancer]
    /// What is not as it should be, the worst first.
    public var findings: [Finding]
    /// Nil when the inventory wants no backups.
    public var backups: BackupStatus? = nil
    /// The cluster that this one follows, as `HOST:PORT`; nil when it is one of its own.
    public var follows: String?
    /// Who has the address at this moment: of the balancers, or of the members where it follows the leader.
    public var holders: [String] = []
    /// Whether the address is to be where the leader is.
    public var addressFollowsLeader = false
    /// When the hosts were asked, in seconds since 1970.
    public var time = 0

    /// The severity of the worst finding; nil when there is none.
    public var worst: Finding.Severity? { findings.map(\.severity).min() }
}

extension ClusterStatus {
    /// Asks all hosts of a cluster at once.
    ///
    /// - Throws: `Diagnostics` for a wrong inventory, `HostFailures` when no host answers.
    public static func observe(
        _ inventory: Inventory, settings: ConnectionSettings
    ) async throws -> ClusterStatus {
        let configuration = try ClusterConfiguration(inventory)
        return try status(
            of: configuration,
            given: await Survey.ask(configuration.hosts, settings: settings) { questions(of: $0, configuration, $1) })
    }

    static func questions(of host: Host, _ assumed: ClusterConfiguration, _ facts: Facts) -> [any Fact] {
        let configuration = assumed.on(platformIn: Observations([host.name: facts]))
        return ClusterQuestions(configuration: configuration).questions(of: host)
            + StatusReader(configuration: configuration).questions(of: host) + [HostRelease()]
    }

    static func status(
        of assumed: ClusterConfiguration, given answers: [(host: Host, answers: Result<Facts, any Error>)]
    ) throws -> ClusterStatus {
        var observed = Observations()
        if let failures = HostFailures(allOf: answers) { throw failures }
        var unreachable: [String] = []
        for (host, result) in answers {
            switch result {
            case .success(let facts): observed[host] = facts
            case .failure(let error): unreachable.append("\(host.name): \(error)")
            }
        }
        let configuration = assumed.on(platformIn: observed)
        return StatusReader(configuration: configuration)
            .status(
                given: observed, members: ClusterQuestions(configuration: configuration).members(given: observed),
                unreachable: unreachable)
    }
}
