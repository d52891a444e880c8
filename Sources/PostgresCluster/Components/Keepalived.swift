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
    let statisticsPort: Int
    let healthPath: String
    let interface: String
    let routerID: Int
    let priority: Int
    let address: String
    /// Nil for the only balancer.
    let peers: [Peer]?
    @TemplateSecret var password: Secret
    let addressToHold: String

    enum CodingKeys: String, CodingKey {
        case name, statisticsPort = "statistics_port", healthPath = "health_path", interface, routerID = "router_id",
            priority, address, peers
        case password, addressToHold = "address_to_hold"
    }
}

extension Cluster {
    var keepalivedPackages: [String] { configuration.balancing.address == nil ? [] : ["keepalived"] }

    /// The balancer's part in holding the cluster's address: one of them has it, and hands it on when its HAProxy no
    /// longer serves.
    @ResourceBuilder
    public func keepalived(on host: Host) throws -> [any Resource] {
        if let node = balancer(host), let address = configuration.balancing.address {
            File(
                "/etc/keepalived/keepalived.conf",
                containing: try templates.render(keepalivedConfiguration(of: node, holding: address)), mode: 0o640,
                checkedBy: "keepalived --config-test --use-file")
            Service("keepalived", reloadedBy: ["/etc/keepalived/keepalived.conf"])
        }
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

    /// The priorities are distinct: of two equal ones the higher address would win, and move what need not move.
    private func keepalivedConfiguration(of node: Node, holding address: String) -> KeepalivedConfiguration {
        let balancing = configuration.balancing
        let others = configuration.balancers.filter { $0.name != node.name }
        let rank = configuration.balancers.firstIndex { $0.name == node.name } ?? 0
        return KeepalivedConfiguration(
            name: node.name, statisticsPort: balancing.ports.statistics, healthPath: HAProxyView.healthPath,
            interface: balancing.interface,
            routerID: balancing.routerID, priority: 150 - rank, address: node.address,
            peers: others.isEmpty ? nil : others.map(Peer.init), password: keepalivedPassword,
            addressToHold: "\(address)/\(balancing.prefix)")
    }

    /// VRRP takes eight characters. They are derived from a password that the cluster has anyway, so that clusters on
    /// one wire differ in them and nobody needs to invent one more.
    private var keepalivedPassword: Secret {
        let key = SymmetricKey(data: Data(configuration.patroni.replication.password.reveal().utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data("keepalived \(configuration.name)".utf8), using: key)
        return Secret(String(code.hexadecimal.prefix(8)))
    }
}
