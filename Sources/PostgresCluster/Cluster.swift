import Certificates
import Engine
import Inventory

/// A cluster to be brought about: what the inventory wants, with which templates, and what was found of it.
public struct Cluster: Sendable {
    public let configuration: ClusterConfiguration
    public let state: ClusterState
    /// Who belongs to it by its own word.
    public let membership: Membership
    /// What was observed on its hosts, for what a flow asks beyond that.
    let observed: Observations
    let templates: ClusterTemplates
    /// What was seen that the backups depend on.
    var backupSightings: BackupSightings
    /// Who issues certificates, and why it cannot; nil without TLS.
    var authority: (CertificateAuthority, hindrance: Refusal?)?
    /// The same for etcd; nil also without an etcd of its own.
    var etcdAuthority: (CertificateAuthority, hindrance: Refusal?)?
    /// Whether this run gives etcd its own authority, where an earlier version had it trust that of the cluster.
    var separatesEtcd = false
    /// Certificates from before this are replaced together with their keys, in seconds since 1970; nil replaces none.
    var certificatesReplacedBefore: Int?
    /// Seconds since 1970.
    var now = 0
    /// Whether it shall keep its log instead of archiving it, until deploy-cluster says otherwise.
    var leavesArchivingOff = false
    /// The passwords that are made when this plan is approved.
    var madePasswords: [String] = []
    /// Whether these are kept encrypted.
    var passwordsAreEncrypted = true

    init(
        configuration: ClusterConfiguration, state: ClusterState, membership: Membership = Membership(),
        observed: Observations = Observations(), templates: ClusterTemplates,
        backupSightings: BackupSightings = BackupSightings()
    ) {
        self.configuration = configuration
        self.state = state
        self.membership = membership
        self.observed = observed
        self.templates = templates
        self.backupSightings = backupSightings
    }

    /// Whether it is to follow another cluster, so that nobody can write to it.
    var isStandby: Bool { configuration.patroni.standby != nil }

    /// The part of a host as member of etcd, nil when it has none. Likewise the two below.
    func etcdNode(_ host: Host) -> Node? { configuration.etcd.first { $0.name == host.name } }
    func member(_ host: Host) -> Node? { configuration.members.first { $0.name == host.name } }
    func balancer(_ host: Host) -> Node? { configuration.balancers.first { $0.name == host.name } }

    /// Who leads, or begins a new cluster.
    public var leader: Node { knownLeader ?? starters[0] }

    /// While nobody leads, the members to start before all others: those with a database, or one that makes it. A member
    /// without one must never be first where another has one: it would make a second cluster.
    public var starters: [Node] {
        guard knownLeader == nil else { return [] }
        guard case .running(_, let withDatabase) = state else { return [configuration.members[0]] }
        let candidates = configuration.members.filter { withDatabase.contains($0.name) }
        return candidates.isEmpty ? [configuration.members[0]] : candidates
    }

    /// The members that are brought to what is declared once somebody leads: the leader last, for clients notice it.
    public var followers: [Node] {
        if let leader = knownLeader { return replicas + [leader] }
        let starters = starters.map(\.name)
        return configuration.members.filter { !starters.contains($0.name) }
    }

    /// The members that do not lead.
    var replicas: [Node] { configuration.members.filter { $0.name != leader.name } }

    private var knownLeader: Node? {
        guard case .running(let name?, _) = state else { return nil }
        return configuration.members.first { $0.name == name }
    }
}
