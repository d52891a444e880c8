public import Engine
public import Inventory
import SystemResources

/// What goes into `/etc/default/etcd`. Nothing in it is about the other members, so that etcd need not be restarted when
/// one comes or goes.
struct EtcdConfiguration: ConfigurationFile {
    static let template = "etcd.env"

    let name: String
    let dataDirectory: String
    let listening: Listening
    let tls: TLSFiles?

    struct Listening: Codable {
        let clients: String
        /// Where the host itself reaches it.
        let local: String
        let peers: String

        init(_ endpoint: EtcdEndpoint) {
            clients = endpoint.clientURL
            local = EtcdEndpoint(address: "127.0.0.1", identity: endpoint.identity).clientURL
            peers = endpoint.peerURL
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, dataDirectory = "data_directory", listening, tls
    }
}

/// What goes into `/etc/default/etcd.initial` when a new cluster of etcd begins.
struct EtcdInitialCluster: ConfigurationFile {
    static let template = "etcd.initial.env"
    static let path = "/etc/default/etcd.initial"

    let members: [EtcdPeer]
    let token: String
}

/// A member of etcd as the others know it.
struct EtcdPeer: Codable {
    let name: String
    let url: String
}

extension ClusterConfiguration {
    /// What tells the members of this etcd from others that are set up alike.
    var etcdToken: String { "etcd-\(name)" }
    var etcdDirectory: String { "/var/lib/etcd/\(etcdToken)" }
}

extension Cluster {
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
                        name: node.name, dataDirectory: directory,
                        listening: .init(configuration.endpoint(of: node)),
                        tls: configuration.tls.map { _ in etcdFiles(on: host) })))
            try settings(of: EtcdUnitSettings.self, on: host)
            // To join others, it is needed already.
            etcdCertificate(of: node)
            EtcdBeginning(
                node: etcdPeer(node), token: configuration.etcdToken, dataDirectory: directory,
                newCluster: File(
                    EtcdInitialCluster.path,
                    containing: try templates.render(
                        EtcdInitialCluster(
                            members: configuration.etcd.map(etcdPeer), token: configuration.etcdToken))),
                first: firstOfEtcd(besides: node), present: etcdToJoin(for: node))
            if separatesEtcd, etcdSharesAuthority { othersOfEtcdAreHealthy(besides: node) }
            etcdService(on: host)
            EtcdVoter(
                node: etcdPeer(node), voters: etcdVoters(besides: node), joins: !etcdToJoin(for: node).isEmpty)
            etcdHasQuorum(at: configuration.endpoint(of: node))
        }
    }

    func etcdService(on host: Host) -> Service {
        let trust = configuration.tls.map { _ in etcdFiles(on: host).authority }
        return Service("etcd", restartedBy: ["/etc/default/etcd"] + [trust].compactMap(\.self), waitsForStart: false)
    }

    /// Holds when this member of etcd can write, and the members agree on a version.
    ///
    /// A new cluster whose first leader did not reach all members has version 3.0 for some seconds (`monitorVersions` of etcd
    /// 3.4). Patroni chooses its API by that (`_ensure_version_prefix` of 3.0.2), does not find it, and never asks again.
    func etcdHasQuorum(at endpoint: EtcdEndpoint) -> Condition {
        let health = EtcdStatus.health(at: endpoint)
        return Condition(
            "etcd has a quorum", signs: [health],
            test: """
                \(endpoint.curl("/health", "--fail --max-time 2")) &&
                \(endpoint.curl("/version", "--fail --max-time 2")) | grep -Eq '"etcdcluster":"(3\\.[1-9]|[4-9])'
                """, unit: "etcd.service", timeout: 60
        ) { facts in
            try facts[health].json(EtcdStatus.Health.self)?.health == "true"
        }
    }

    private func etcdPeer(_ node: Node) -> EtcdPeer {
        EtcdPeer(name: node.name, url: configuration.endpoint(of: node).peerURL)
    }

    /// The member that etcd asks before all others.
    private func firstOfEtcd(besides node: Node) -> (name: String, endpoint: EtcdEndpoint)? {
        let first = configuration.etcd.min { etcdPeer($0).url < etcdPeer($1).url }
        return first.flatMap { $0.name == node.name ? nil : ($0.name, configuration.endpoint(of: $0)) }
    }

    /// The members of etcd that a node joins; none when it belongs to them, or begins with the others.
    func etcdToJoin(for node: Node) -> [EtcdEndpoint] {
        let members = ClusterQuestions(configuration: configuration).etcdMembers(given: observed)
        func isStarted(_ node: Node) -> Bool {
            members.contains { $0.peerURLs.contains(etcdPeer(node).url) && !($0.name ?? "").isEmpty }
        }
        return isStarted(node) ? [] : configuration.etcd.filter(isStarted).map { configuration.endpoint(of: $0) }
    }

    /// The other members of etcd that can tell of all of them, and give a vote: those that have one themselves.
    private func etcdVoters(besides node: Node) -> [EtcdEndpoint] {
        let members = ClusterQuestions(configuration: configuration).etcdMembers(given: observed)
        return configuration.etcd.filter { other in
            other.name != node.name
                && members.contains {
                    $0.peerURLs.contains(etcdPeer(other).url) && !($0.name ?? "").isEmpty && $0.isLearner != true
                }
        }.map { configuration.endpoint(of: $0) }
    }
}
