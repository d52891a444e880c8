public import Engine
public import Inventory
import SystemResources
import Templates

/// What goes into `/etc/keepalived/keepalived.conf`.
struct KeepalivedConfiguration: ConfigurationFile {
    static let template = "keepalived.conf"

    let name: String
    /// Whether the address is where the leader is, rather than where HAProxy serves.
    let followsLeader: Bool
    /// What the check is called, and what it asks.
    let check: String
    let url: String
    let interface: String
    let routerID: Int
    let priority: Int
    let address: String
    let peers: [Peer]
    let addressToHold: String

    enum CodingKeys: String, CodingKey {
        case name, followsLeader = "follows_leader", check, url, interface, routerID = "router_id", priority, address,
            peers
        case addressToHold = "address_to_hold"
    }
}

extension Cluster {
    /// A host's part in holding the cluster's address: one of them has it, and hands it on when its HAProxy no longer serves,
    /// or when it no longer leads.
    @ResourceBuilder
    public func keepalived(on host: Host) throws -> [any Resource] {
        if let node = configuration.addressHolders.first(where: { $0.name == host.name }),
            let address = configuration.balancing.address
        {
            File(
                KeepalivedPriority.path,
                containing: try templates.render(keepalivedConfiguration(of: node, holding: address)), mode: 0o640,
                checkedBy: "keepalived --config-test --use-file")
            try settings(of: KeepalivedUnitSettings.self, on: host)
            Service("keepalived", reloadedBy: [KeepalivedPriority.path])
        }
    }

    /// In which order those that hold the address get a new configuration.
    ///
    /// Of two of which only one has a password each takes the other for gone after three seconds, and takes the address: those
    /// that still have the password of an earlier version lose it at the same moment.
    public var addressPace: Play.Strategy {
        let isAuthenticated = configuration.addressHolders.contains {
            observed[$0.host].ifKnown(KeepalivedAuthentication()) ?? false
        }
        return isAuthenticated ? .together : .rolling
    }

    /// The same for a balancer that joins those that hold the address, which stays where it is.
    @ResourceBuilder
    public func keepalivedStandingBy(on host: Host) throws -> [any Resource] {
        try keepalived(on: host)
        if let address = configuration.balancing.address, let holder = holder(of: address), holder.name != host.name {
            StandsBy(address: address, holder: holder.name)
        }
    }

    /// The hosts that have the address at this moment.
    func holders(of address: String) -> [Node] {
        configuration.addressHolders.filter { observed[$0.host].ifKnown(HostAddresses())?.contains(address) ?? false }
    }

    private func holder(of address: String) -> Node? {
        let holders = holders(of: address)
        return holders.count == 1 ? holders[0] : nil
    }

    /// Holds when somebody has the address and serves there.
    func isHeld(_ address: String) -> Condition {
        let port = configuration.balancing.ports.statistics
        let health = HTTPResponse("http://\(address):\(port)\(HAProxyView.healthPath)")
        return Condition(
            "\(address) is held by a balancer that serves", signs: [health],
            test: "curl --silent --noproxy '*' --fail --max-time 1 \(quoting: health.url)", unit: "keepalived.service",
            timeout: 30
        ) { facts in
            try facts[health].status == 200
        }
    }

    private func keepalivedConfiguration(of node: Node, holding address: String) -> KeepalivedConfiguration {
        let balancing = configuration.balancing
        let holders = configuration.addressHolders
        let others = holders.filter { $0.name != node.name }
        let present = holders.reduce(into: [String: Int]()) { priorities, holder in
            priorities[holder.name] = observed[holder.host].ifKnown(KeepalivedPriority()) ?? nil
        }
        let priorities = KeepalivedPriority.distribution(among: holders.map(\.name), present: present)
        let followsLeader = configuration.addressFollowsLeader
        return KeepalivedConfiguration(
            name: node.name, followsLeader: followsLeader, check: followsLeader ? "leads" : "haproxy_serves",
            url: followsLeader
                ? api(node).url("/primary")
                : "http://127.0.0.1:\(balancing.ports.statistics)\(HAProxyView.healthPath)",
            interface: balancing.interface,
            routerID: balancing.routerID, priority: priorities[node.name] ?? 1, address: node.address,
            peers: others.isEmpty ? [nobody] : others.map(Peer.init),
            addressToHold: "\(address)/\(balancing.prefix)")
    }

    /// Whom the only balancer addresses. Without any peer keepalived would speak to a whole network, and drop the address for
    /// some seconds when it is reloaded with its first peer. What is sent here never leaves the host, and is never received.
    private var nobody: Peer { Peer(name: "nobody", address: "127.0.0.1") }
}
