public import Drover
public import Inventory
import SystemResources

/// What goes into `/etc/haproxy/haproxy.cfg`.
struct HAProxyConfiguration: ConfigurationFile {
    static let template = "haproxy.cfg"

    struct Listener: Codable {
        let name: String
        let comment: String
        let port: Int
        let balance: String
        /// The path at which Patroni answers 200 for a member that has the role.
        let check: String
        let maxconn: Int
    }

    let maxconn: Int
    let statisticsPort: Int
    let healthPath: String
    let restPort: Int
    let serverPort: Int
    let listeners: [Listener]
    let servers: [Peer]

    enum CodingKeys: String, CodingKey {
        case maxconn, statisticsPort = "statistics_port", healthPath = "health_path", restPort = "rest_api_port",
            serverPort = "server_port"
        case listeners, servers
    }
}

extension Cluster {
    /// What shows that clients are served: the balancer's way to the leader, and the address.
    @ResourceBuilder
    public func service(of host: Host) -> [any Resource] {
        if balancer(host) != nil {
            seesTheLeader()
            if let address = configuration.balancing.address { isHeld(address) }
        }
    }

    static let haproxyPackages = ["haproxy"]

    /// The balancer: one port that leads to the leader, one that spreads over the replicas.
    @ResourceBuilder
    public func haproxy(on host: Host) throws -> [any Resource] {
        if balancer(host) != nil {
            File(
                "/etc/haproxy/haproxy.cfg", containing: try templates.render(haproxyConfiguration),
                checkedBy: "haproxy -c -q -f")
            Service("haproxy", reloadedBy: ["/etc/haproxy/haproxy.cfg"])
        }
    }

    /// Holds when the balancer leads those who want to write to one member.
    func seesTheLeader() -> Condition {
        let view = HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics)
        let count = """
            awk -F, '$1 == "\(HAProxyView.leaderListener)" && $2 !~ /END$/ && $18 == "UP" { n++ } END { exit n != 1 }'
            """
        return Condition(
            "HAProxy sees the leader", signs: [view],
            test: "curl --silent --noproxy '*' --fail --max-time 2 '\(view.url)' | \(count)",
            unit: "haproxy.service", timeout: 60
        ) { facts in
            try HAProxyView(facts[view]).servers(of: HAProxyView.leaderListener, in: "UP").count == 1
        }
    }

    private var haproxyConfiguration: HAProxyConfiguration {
        let balancing = configuration.balancing
        return HAProxyConfiguration(
            maxconn: balancing.maxConnectionsGlobal, statisticsPort: balancing.ports.statistics,
            healthPath: HAProxyView.healthPath, restPort: configuration.patroni.restPort,
            serverPort: configuration.pooler.port,
            listeners: [
                .init(
                    name: HAProxyView.leaderListener, comment: "Reading and writing: whoever leads.",
                    port: balancing.ports.leader, balance: "roundrobin", check: "/primary",
                    maxconn: balancing.maxConnections),
                .init(
                    name: HAProxyView.replicasListener, comment: "Reading only: the replicas that are not far behind.",
                    port: balancing.ports.replicas, balance: "leastconn", check: "/replica?lag=100MB",
                    maxconn: balancing.maxConnections),
            ],
            servers: configuration.members.map(Peer.init))
    }
}
