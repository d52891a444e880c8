import Crypto
public import Drover
import FoundationEssentials
public import Inventory
import Secrets
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
    @TemplateSecret var password: Secret
    let addressToHold: String

    enum CodingKeys: String, CodingKey {
        case name, followsLeader = "follows_leader", check, url, interface, routerID = "router_id", priority, address,
            peers
        case password, addressToHold = "address_to_hold"
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
            test: "curl --silent --noproxy '*' --fail --max-time 1 \(health.url)", unit: "keepalived.service",
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
            peers: others.isEmpty ? [nobody] : others.map(Peer.init), password: keepalivedPassword,
            addressToHold: "\(address)/\(balancing.prefix)")
    }

    /// Whom the only balancer addresses. Without any peer keepalived would speak to a whole network, and drop the address for
    /// some seconds when it is reloaded with its first peer. What is sent here never leaves the host, and is never received.
    private var nobody: Peer { Peer(name: "nobody", address: "127.0.0.1") }

    /// VRRP takes eight characters. They are derived from a password that the cluster has anyway, so that clusters on
    /// one wire differ in them and nobody needs to invent one more.
    private var keepalivedPassword: Secret {
        let key = SymmetricKey(data: Data(configuration.patroni.replication.password.reveal().utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data("keepalived \(configuration.name)".utf8), using: key)
        return Secret(String(code.hexadecimal.prefix(8)))
    }
}
