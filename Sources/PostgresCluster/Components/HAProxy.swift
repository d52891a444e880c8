public import Engine
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
        /// At which port of a member: that of its pooler, or of PostgreSQL itself.
        let serverPort: Int
        /// Whether it must never lead to more than one server.
        let isExclusive: Bool
        /// Of the inventory's own.
        let extra: [String]

        enum CodingKeys: String, CodingKey {
            case name, comment, port, balance, check, maxconn, serverPort = "server_port", isExclusive = "is_exclusive",
                extra
        }
    }

    struct Server: Codable {
        let name: String
        let address: String
        /// The name that its certificate must have. HAProxy 2.6 does not look for addresses there, so nil for a host that is
        /// named by its address.
        let certifiedName: String?

        enum CodingKeys: String, CodingKey {
            case name, address, certifiedName = "certified_name"
        }

        init(_ peer: Peer) {
            name = peer.name
            address = peer.address
            certifiedName = Node.isAddress(peer.name) ? nil : peer.name
        }
    }

    /// Nil for as many as the files allow.
    let maxconn: Int?
    /// How many files it opens at most where no number of connections is given.
    let files: Int
    let statisticsPort: Int
    /// Whether other hosts may read the statistics.
    let statisticsAreOpen: Bool
    let healthPath: String
    let restPort: Int
    /// Whom it trusts when it asks the REST API; nil without TLS.
    let authority: String?
    /// Milliseconds between two checks of a server that is well, of one that may have failed, and of one that is down.
    let checkInterval: Int
    let doubtInterval: Int
    let absenceInterval: Int
    /// How long a connection may be idle.
    let clientTimeout: String
    let serverTimeout: String
    /// Lines of the inventory's own.
    let globalExtra: [String]
    let defaultsExtra: [String]
    let statisticsExtra: [String]
    let listeners: [Listener]
    let servers: [Server]

    enum CodingKeys: String, CodingKey {
        case maxconn, files, statisticsPort = "statistics_port",
            statisticsAreOpen = "statistics_are_open", healthPath = "health_path", restPort = "rest_api_port",
            authority,
            checkInterval = "check_interval", doubtInterval = "doubt_interval", absenceInterval = "absence_interval",
            clientTimeout = "client_timeout", serverTimeout = "server_timeout",
            globalExtra = "global_extra", defaultsExtra = "defaults_extra", statisticsExtra = "statistics_extra"
        case listeners, servers
    }
}

extension Cluster {
    /// What shows that clients are served: the balancer's way to the leader, and the address.
    @ResourceBuilder
    public func service(of host: Host) -> [any Resource] {
        if balancer(host) != nil {
            if !isStandby { seesTheLeader() }
            if let address = configuration.balancing.address { isHeld(address) }
        }
    }

    /// The balancer: one port that leads to the leader, one that spreads over the replicas.
    @ResourceBuilder
    public func haproxy(on host: Host) throws -> [any Resource] {
        if balancer(host) != nil {
            File(
                "/etc/haproxy/haproxy.cfg", containing: try templates.render(haproxyConfiguration(of: host)),
                checkedBy: "haproxy -c -q -f")
            Service("haproxy", reloadedBy: ["/etc/haproxy/haproxy.cfg"] + trustFiles)
        }
    }

    /// Holds when the balancer leads those who want to write to one member, the one that leads: for a moment it also still
    /// believes in one that was just stopped.
    func seesTheLeader() -> Condition {
        let leader = membership.leader?.name
        return sees("the leader", at: [HAProxyView.leaderListener]) { leader != nil && $0 == [leader] }
    }

    /// Waits until the balancer leads readers to the replicas that this run clones, since HAProxy asks them only now and then.
    @ResourceBuilder
    public func readers(of host: Host) -> [any Resource] {
        let cloned = newcomers.map(\.name).filter { configuration.patroni.tags[$0]?.noloadbalance != true }
        if balancer(host) != nil, !cloned.isEmpty {
            sees("the new replicas", at: [HAProxyView.replicasListener], isCount: "n >= \(cloned.count)") {
                Set(cloned).isSubset(of: $0)
            }
        }
    }

    /// Holds when the balancer leads those who only read to anybody.
    private func seesReplicas() -> Condition {
        sees("replicas", at: [HAProxyView.replicasListener], isCount: "n > 0") { !$0.isEmpty }
    }

    /// Holds when a balancer leads to a member, for writing or for reading.
    func sees(_ node: Node) -> Condition {
        sees(node.name, at: [HAProxyView.leaderListener, HAProxyView.replicasListener], only: node.name) {
            $0.count == 1
        }
    }

    /// - Parameters:
    ///   - listeners: whose servers are meant.
    ///   - name: of the only server that is meant there; nil for all.
    ///   - isCount: how many of them must be up.
    ///   - isSeen: the same of the names of those that are.
    private func sees(
        _ what: String, at listeners: [String], only name: String? = nil, isCount: ShellText = "n == 1",
        _ isSeen: @escaping @Sendable ([String]) -> Bool
    ) -> Condition {
        let view = HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics)
        let places = listeners.map { "$1 == \"\(inSingleQuotes: $0)\"" as ShellText }.joined(separator: " || ")
        let server: ShellText = name.map { "$2 == \"\(inSingleQuotes: $0)\"" } ?? "$2 !~ /END$/"
        let count: ShellText =
            "awk -F, '(\(places)) && \(server) && $18 ~ /^UP/ { if ($37 ~ /INI$/) unasked++; else n++ } "
            + "END { exit !(\(isCount) && !unasked) }'"
        return Condition(
            "HAProxy sees \(what)", signs: [view],
            test: "curl --silent --noproxy '*' --fail --max-time 2 '\(inSingleQuotes: view.url)' | \(count)",
            unit: "haproxy.service", timeout: 60
        ) { facts in
            let up = HAProxyView(try facts[view]).servers.filter {
                $0.isUp && listeners.contains($0.listener) && (name == nil || $0.name == name)
            }
            return up.allSatisfy(\.isChecked) && isSeen(up.map(\.name))
        }
    }

    /// A balancer that the cluster gains: HAProxy, and that each of its listeners sees whom it should.
    @ResourceBuilder
    public func newBalancer(on host: Host) throws -> [any Resource] {
        try haproxy(on: host)
        if balancer(host) != nil {
            if !isStandby { seesTheLeader() }
            if hasRunningReplicas(for: host.name) { seesReplicas() }
        }
    }

    /// Proves that SQL passes through a balancer at its own address.
    public func clientPath(through node: Node) -> any Resource {
        ClientPath(
            balancer: Peer(node), leaderPort: configuration.balancing.ports.leader,
            replicasPort: hasRunningReplicas(for: node.name) ? configuration.balancing.ports.replicas : nil,
            login: configuration.pooler.login, binaryDirectory: configuration.postgres.binaryDirectory)
    }

    /// Whether a replica runs to which a balancer may lead readers.
    private func hasRunningReplicas(for balancer: String) -> Bool {
        membership.members.contains { $0.isRunning && !$0.isLeader && configuration.leads(balancer, to: $0.name) }
    }

    private func haproxyConfiguration(of host: Host) -> HAProxyConfiguration {
        let balancing = configuration.balancing
        return HAProxyConfiguration(
            maxconn: balancing.limits.global,
            files: ClusterConfiguration.Balancing.Limits.files(for: ClusterConfiguration.Balancing.Limits.customary),
            statisticsPort: balancing.ports.statistics,
            statisticsAreOpen: configuration.statisticsAreOpen,
            healthPath: HAProxyView.healthPath, restPort: configuration.patroni.restPort, authority: trustFiles.first,
            checkInterval: balancing.checkInterval, doubtInterval: balancing.checkInterval / 4,
            absenceInterval: balancing.checkInterval / 2,
            clientTimeout: balancing.timeouts.client, serverTimeout: balancing.timeouts.server,
            globalExtra: balancing.extraLines["global"], defaultsExtra: balancing.extraLines["defaults"],
            statisticsExtra: balancing.extraLines["stats"],
            listeners: listeners(tags: (balancing.tags[host.name] ?? [:]).sorted { $0.key < $1.key }),
            servers: peers.map(HAProxyConfiguration.Server.init))
    }

    /// - Parameter tags: those that a replica must have, which Patroni checks.
    private func listeners(tags: [(key: String, value: String)]) -> [HAProxyConfiguration.Listener] {
        func query(_ words: String...) -> String {
            let all = words + tags.map { "tag_\($0.key)=\($0.value)" }
            return all.isEmpty ? "" : "?" + all.joined(separator: "&")
        }
        let ports = configuration.balancing.ports
        let roles: [(name: String, comment: String, check: String, port: Int?, direct: Int?)] = [
            (
                HAProxyView.leaderListener, "Reading and writing: whoever leads", "/primary", ports.leader,
                ports.leaderDirect
            ),
            (
                HAProxyView.replicasListener, "Reading only: the replicas that are not far behind",
                "/replica\(query("lag=100MB"))",
                ports.replicas, ports.replicasDirect
            ),
            (
                "replicas_sync", "Reading only: the replicas that have all that is committed", "/sync\(query())",
                ports.synchronous, ports.synchronousDirect
            ),
            (
                "replicas_async", "Reading only: the other replicas that are not far behind",
                "/async\(query("lag=100MB"))",
                ports.asynchronous, ports.asynchronousDirect
            ),
        ]
        return roles.flatMap { role in
            let ways = [
                (role.port, "", ".", configuration.pooler.port),
                (role.direct, "_direct", ", past the pooler.", configuration.postgres.port),
            ]
            return ways.compactMap { port, suffix, ending, serverPort in
                port.map { port in
                    let leads = role.name == HAProxyView.leaderListener
                    let limits = configuration.balancing.limits
                    return HAProxyConfiguration.Listener(
                        name: role.name + suffix, comment: role.comment + ending, port: port,
                        balance: leads ? "roundrobin" : "leastconn", check: role.check,
                        maxconn: leads ? limits.leader : limits.replicas, serverPort: serverPort, isExclusive: leads,
                        extra: configuration.balancing.extraLines[role.name + suffix])
                }
            }
        }
    }
}
