import Inventory

extension ClusterConfiguration {
    /// The exporters that Prometheus reads. HAProxy, Patroni and etcd need none: they tell of themselves. There is none of the
    /// pooler: that of Debian 12 (1.7) ends with `KeyError: 'total_requests'`, for PgBouncer 1.18 no longer has such a column.
    public struct Monitoring: Sendable {
        /// `node_exporter_port`: what each host tells of itself.
        public let hostPort: Int
        /// `pg_exporter_port`: what each member tells of its PostgreSQL.
        public let databasePort: Int

        /// The system user as which Debian's exporters run, and the role of the same name, which therefore needs no
        /// password. It may read what `pg_monitor` lets it, and nothing else.
        static let role = "prometheus"

        /// Nil unless `monitoring_install` is true. The ports are by default those of Debian's packages.
        init?(_ variables: inout Variables) {
            let isWanted = variables.optional("monitoring_install") ?? false
            hostPort = variables.port("node_exporter_port", default: 9100)
            databasePort = variables.port("pg_exporter_port", default: 9187)
            if !isWanted { return nil }
        }
    }
}

extension ClusterConfiguration.Monitoring {
    /// The ports of the exporters of a host.
    ///
    /// - Parameter isMember: whether the host has a database.
    func daemonPorts(of node: Node, isMember: Bool) -> [DaemonPort] {
        func port(_ exporter: Exporter, _ port: Int, _ variable: String) -> DaemonPort {
            DaemonPort(
                daemon: exporter.package, unit: exporter.package + ".service", port: port, variable: variable,
                address: node.address)
        }
        let own = port(.host, hostPort, "node_exporter_port")
        return isMember ? [own, port(.database, databasePort, "pg_exporter_port")] : [own]
    }
}

/// A package of Debian that is a daemon of the same name.
enum Exporter: CaseIterable {
    case host, database

    var package: String {
        switch self {
        case .host: "prometheus-node-exporter"
        case .database: "prometheus-postgres-exporter"
        }
    }

    /// The file that says where it listens.
    var file: String { "/etc/default/\(package)" }
}
