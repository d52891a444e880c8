public import Drover
public import Inventory
import SystemResources

/// What goes into `/etc/default/etcd`.
struct EtcdConfiguration: ConfigurationFile {
    static let template = "etcd.env"

    let name: String
    let dataDirectory: String
    let address: String
    let members: [Peer]
    let token: String

    enum CodingKeys: String, CodingKey {
        case name, dataDirectory = "data_directory", address, members, token
    }
}

extension ClusterConfiguration {
    /// What tells the members of this etcd from others that are set up alike.
    var etcdToken: String { "etcd-\(name)" }
    var etcdDirectory: String { "/var/lib/etcd/\(etcdToken)" }
}

extension Cluster {
    static let etcdPackages = ["etcd-server", "etcd-client"]

    /// One member of etcd. It has a data directory of its own, because the package may have made a cluster of one in
    /// the default directory, whose settings would win over these.
    @ResourceBuilder
    public func etcd(on host: Host) throws -> [any Resource] {
        if let node = etcdNode(host) {
            let directory = configuration.etcdDirectory
            Directory(directory, owner: "etcd", group: "etcd", mode: 0o700)
            File(
                "/etc/default/etcd",
                containing: try templates.render(
                    EtcdConfiguration(
                        name: node.name, dataDirectory: directory, address: node.address,
                        members: configuration.etcd.map(Peer.init),
                        token: configuration.etcdToken)))
            Service("etcd", restartedBy: ["/etc/default/etcd"], waitsForStart: false)
            let health = EtcdStatus.health(at: node.address)
            Condition(
                "etcd has a quorum", signs: [health],
                test: "curl --silent --noproxy '*' --fail --max-time 2 \(health.url)", unit: "etcd.service", timeout: 60
            ) { facts in
                try facts[health].json(EtcdStatus.Health.self)?.health == "true"
            }
        }
    }
}
