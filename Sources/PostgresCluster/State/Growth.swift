import Engine
import Inventory
import SystemResources

extension Cluster {
    /// The members of a running cluster that have no database yet: those that the inventory gained. In a new cluster, all
    /// but the one that begins it. Each comes after the one from which it streams: see `upstreamRuns(for:)`.
    public var newcomers: [Node] {
        var others = starters.map(\.name)
        if case .running(_, let withDatabase) = state { others += withDatabase }
        return configuration.upstreamFirst(configuration.members.filter { !others.contains($0.name) })
    }

    /// The members of a new cluster that are cloned as soon as there is something to clone. One that begins with what is elsewhere
    /// takes its time; nobody waits for it meanwhile.
    public var firstNewcomers: [Node] { isNew && beginning == nil && !isStandby ? newcomers : [] }

    /// The other members that have no database yet.
    public var laterNewcomers: [Node] { firstNewcomers.isEmpty ? newcomers : [] }

    /// The members with a database that are brought to what is declared once somebody leads: the leader last, for clients
    /// notice it.
    public var present: [Node] {
        let newcomers = newcomers.map(\.name)
        return followers.filter { !newcomers.contains($0.name) }
    }

    /// The members that the cluster has and the inventory does not name.
    public var strangers: [Membership.Member] { membership.members(except: configuration.members.map(\.name)) }

    /// All members as the others name them. A stranger is still let in and still served: to take it out is another
    /// playbook's work.
    var peers: [Peer] {
        configuration.members.map(Peer.init)
            + strangers.compactMap { stranger in
                stranger.address.flatMap { Node.isAddress($0) ? Peer(name: stranger.name, address: $0) : nil }
            }
    }

    /// Whether balancers come before the database, as in a new cluster: handing out the address takes its time and needs no
    /// database. In a running one, a balancer gets clients only when it leads them to the leader.
    private var isNew: Bool {
        if case .running = state { false } else { true }
    }

    /// The balancers of a new cluster.
    public var firstBalancers: [Node] { isNew ? configuration.balancers : [] }

    /// The balancers of a running cluster that take part in holding the address, or would if there were one.
    public var presentBalancers: [Node] { isNew ? [] : configuration.balancers.filter(servesAlready) }

    /// The balancers of a running cluster that do not yet.
    public var newBalancers: [Node] { isNew ? [] : configuration.balancers.filter { !servesAlready($0) } }

    private func servesAlready(_ node: Node) -> Bool {
        observed[node.host].ifKnown(configuration.balancing.unit)?.isRunning == true
    }
}

extension ClusterConfiguration.Balancing {
    /// The unit that gives a balancer its clients: the one that holds the address, or HAProxy where there is none.
    var unit: UnitStatus { UnitStatus(address == nil ? "haproxy.service" : "keepalived.service") }
}
