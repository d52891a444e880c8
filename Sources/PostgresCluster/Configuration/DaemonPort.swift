import Diagnostics
import Inventory
import YAML

/// A TCP port at which a daemon of the cluster listens.
struct DaemonPort: Hashable, Sendable {
    /// Who listens: `etcd`, `PostgreSQL`.
    let daemon: String
    let unit: String
    let port: Int
    /// The variable that says which one it is; nil when none does.
    let variable: String?
    /// The address at which it listens besides the loopback; nil for all addresses.
    let address: String?

    /// Whether nobody but the hosts of the cluster has business there.
    var isForClusterOnly: Bool { ["etcd", "Patroni"].contains(daemon) }

    /// Whether the hosts of the cluster have no business there.
    var isForOthersOnly: Bool { daemon == "HAProxy" || Exporter.allCases.contains { $0.package == daemon } }
}

extension ClusterConfiguration {
    /// The ports of all daemons that a host has.
    func daemonPorts(of host: Host) -> [DaemonPort] {
        func node(_ nodes: [Node]) -> Node? { nodes.first { $0.name == host.name } }
        var ports: [DaemonPort] = []
        if let node = node(etcd) {
            ports += [2379, 2380].map {
                .init(daemon: "etcd", unit: "etcd.service", port: $0, variable: nil, address: node.address)
            }
        }
        if let node = node(members) {
            let address = addressFollowsLeader ? nil : node.address
            ports += [
                .init(
                    daemon: "PostgreSQL", unit: "patroni.service", port: postgres.port, variable: "postgresql_port",
                    address: address),
                .init(
                    daemon: "Patroni", unit: "patroni.service", port: patroni.restPort,
                    variable: "patroni_restapi_port", address: node.address),
                .init(
                    daemon: "PgBouncer", unit: "pgbouncer.service", port: pooler.port,
                    variable: "pgbouncer_listen_port", address: address),
            ]
        }
        if node(balancers) != nil {
            ports += balancing.ports.all.map {
                .init(
                    daemon: "HAProxy", unit: "haproxy.service", port: $0, variable: "haproxy_listen_port", address: nil)
            }
        }
        if let monitoring, let node = nodes.first(where: { $0.name == host.name }) {
            ports += monitoring.daemonPorts(of: node, isMember: members.contains { $0.name == host.name })
        }
        return ports
    }
}

extension Variables {
    /// Reports what two daemons, or two hosts, would take from each other.
    mutating func reportCollisions(in configuration: ClusterConfiguration) {
        var told: Set<Set<DaemonPort>> = []
        for host in configuration.hosts {
            let ports = configuration.daemonPorts(of: host)
            for (index, port) in ports.enumerated() {
                for other in ports[..<index] where other.port == port.port {
                    // The same two daemons collide on many hosts; their addresses make no difference.
                    let pair = Set([port, other].map { $0.anywhere })
                    guard told.insert(pair).inserted else { continue }
                    let both =
                        port.daemon == other.daemon
                        ? "two listeners of \(port.daemon)" : "\(other.daemon) and \(port.daemon)"
                    diagnostics.report(
                        "\(both) would both listen at port \(port.port) of \(host.name)",
                        at: port.variable.flatMap { location(of: $0) } ?? other.variable.flatMap { location(of: $0) },
                        remedy: "give each a port of its own")
                }
            }
        }
        reportSharedAddresses(in: configuration)
    }

    private mutating func reportSharedAddresses(in configuration: ClusterConfiguration) {
        var owners: [String: Node] = [:]
        for node in configuration.nodes {
            if let owner = owners[node.address], owner.name != node.name {
                diagnostics.report(
                    "'\(owner.name)' and '\(node.name)' have one address, \(node.address)",
                    at: node.host.variables["bind_address"]?.node.location ?? node.host.location,
                    remedy: "give each host its own, or name the host once")
            }
            owners[node.address] = owners[node.address] ?? node
        }
        let isBalancer = configuration.balancers.map(\.address).contains
        if let address = configuration.balancing.address, let owner = owners[address], !isBalancer(address) {
            diagnostics.report(
                "cluster_vip \(address) is the address of \(owner.name)", at: location(of: "cluster_vip"),
                remedy: "choose one that no host has: they hand it to each other")
        }
    }
}

extension DaemonPort {
    fileprivate var anywhere: DaemonPort {
        DaemonPort(daemon: daemon, unit: unit, port: port, variable: variable, address: nil)
    }
}

extension ClusterConfiguration {
    /// Every host with its address, once.
    var nodes: [Node] {
        var seen: Set<String> = []
        return (etcd + members + balancers + backupHosts).filter { seen.insert($0.name).inserted }
    }
}
