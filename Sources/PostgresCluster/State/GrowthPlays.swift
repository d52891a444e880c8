public import Engine
import Inventory
import SystemResources

extension Cluster {
    /// Makes members of hosts. Whoever may be asked to let them in must know them by then.
    public func cloning(_ nodes: [Node], _ strategy: Play.Strategy = .rolling) -> Play {
        Play("Clone the new members", on: nodes.map(\.host), strategy, tags: ["patroni", "pgbouncer"]) {
            try newMember(on: $0)
        }
    }

    /// Lets the address follow the leader among members, where it does.
    public func followingLeader(_ nodes: [Node]) -> Play {
        Play(
            "Let the address follow the leader", on: configuration.addressFollowsLeader ? nodes.map(\.host) : [],
            addressPace, tags: ["keepalived"]
        ) { try leaderAddress(on: $0) }
    }

    /// Makes balancers of hosts. They take part in holding the address only when SQL has passed through them, and when those
    /// that hold it so far know them.
    ///
    /// - Parameter others: the balancers that there are.
    public func balancing(_ nodes: [Node], beside others: [Node]) -> [Play] {
        // Whether the address stays where it is can be seen only by asking all of them.
        let everywhere = nodes.isEmpty || configuration.balancing.address == nil ? [] : nodes + others
        let hasAddress = configuration.balancing.address != nil
        return [
            Play("Look for the address", on: everywhere.map(\.host), tags: ["keepalived"]) { _ in
                Examination(name: "addresses of the balancers", questions: [HostAddresses()])
            },
            Play("Balance the load", on: others.map(\.host), .rolling, tags: ["haproxy"]) { try haproxy(on: $0) },
            Play("Balance the load on the new balancers", on: nodes.map(\.host), tags: ["haproxy", "keepalived"]) {
                try newBalancer(on: $0)
            },
            Play(
                "Prove the way through the new balancers",
                on: nodes.isEmpty || state == .unknown || isStandby ? [] : [leader.host],
                tags: ["haproxy", "keepalived"]
            ) { _ in
                for node in nodes { clientPath(through: node) }
            },
            Play("Hold the address", on: hasAddress ? others.map(\.host) : [], addressPace, tags: ["keepalived"]) {
                try keepalived(on: $0)
            },
            Play("Stand by to hold the address", on: hasAddress ? nodes.map(\.host) : [], tags: ["keepalived"]) {
                try keepalivedStandingBy(on: $0)
            },
        ]
    }

    /// Lets the balancers lead clients to a new member.
    public func sharing(with node: Node, on balancers: [Node]) -> Play {
        Play("Lead clients to the new member", on: balancers.map(\.host), .rolling, tags: ["haproxy"]) {
            try haproxy(on: $0)
            if configuration.leads($0.name, to: node.name) { sees(node) }
        }
    }

    /// The member, or balancer, of this name; the playbook has checked that the inventory names it.
    public func member(named name: String) -> [Node] { configuration.members.filter { $0.name == name } }
    public func balancer(named name: String) -> [Node] { configuration.balancers.filter { $0.name == name } }
}
