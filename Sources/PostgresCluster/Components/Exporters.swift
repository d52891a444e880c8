public import Engine
public import Inventory
import Secrets
import SystemResources

/// What goes into `/etc/default/prometheus-node-exporter`.
struct HostExporterConfiguration: ConfigurationFile {
    static let template = "prometheus-node-exporter.env"

    let address: String
    let port: Int
}

/// What goes into `/etc/default/prometheus-postgres-exporter`.
struct DatabaseExporterConfiguration: ConfigurationFile {
    static let template = "prometheus-postgres-exporter.env"

    let address: String
    let port: Int
    let role: String
    let postgresPort: Int

    enum CodingKeys: String, CodingKey {
        case address, port, role, postgresPort = "postgres_port"
    }
}

extension Cluster {
    /// The packages of the exporters that a host has.
    func exporterPackages(of host: Host) -> [String] {
        guard configuration.monitoring != nil else { return [] }
        return (member(host) == nil ? [.host] : Exporter.allCases).map(\.package)
    }

    /// Lets Prometheus read hosts. The roles of the cluster are there by then.
    public func monitoring(of hosts: [Host]) -> Play {
        Play("Let Prometheus look", on: configuration.monitoring == nil ? [] : hosts, tags: ["monitoring"]) {
            try exporters(on: $0)
        }
    }

    /// The exporters of a host, of which that of the database must reach it.
    @ResourceBuilder
    func exporters(on host: Host) throws -> [any Resource] {
        if let monitoring = configuration.monitoring,
            let node = configuration.nodes.first(where: { $0.name == host.name })
        {
            File(
                Exporter.host.file,
                containing: try templates.render(
                    HostExporterConfiguration(address: node.address, port: monitoring.hostPort)))
            service(.host)
            if member(host) != nil {
                File(
                    Exporter.database.file,
                    containing: try templates.render(
                        DatabaseExporterConfiguration(
                            address: node.address, port: monitoring.databasePort,
                            role: ClusterConfiguration.Monitoring.role, postgresPort: configuration.postgres.port)))
                service(.database)
                reachesDatabase(node, through: monitoring.databasePort)
            }
        }
    }

    private func service(_ exporter: Exporter) -> Service { Service(exporter.package, restartedBy: [exporter.file]) }

    private func reachesDatabase(_ node: Node, through port: Int) -> Condition {
        let metrics = "http://\(node.address):\(port)/metrics"
        let ask: ShellText =
            "curl --silent --noproxy '*' --max-time 2 \(quoting: metrics) | grep -qx 'pg_up 1'"
        // Only when it is asked does it notice that the server has ended its connection; it makes a new one the next time.
        let test: ShellText = "{ \(ask) || \(ask); }"
        let sign = CommandSuccess(test)
        return Condition(
            "the exporter reaches the database", signs: [sign], test: test,
            unit: Exporter.database.package + ".service", timeout: 30
        ) { facts in
            try facts[sign]
        }
    }

    /// A host that Prometheus reads no more, or no more as a member.
    ///
    /// - Parameter keepsHost: whether the host keeps another part in the cluster, and so the exporter of its own.
    @ResourceBuilder
    func withoutExporters(on host: Host, keepsHost: Bool = false) throws -> [any Resource] {
        if configuration.monitoring != nil {
            for exporter in (member(host) == nil ? [] : [.database]) + (keepsHost ? [] : [.host]) as [Exporter] {
                StoppedService(exporter.package)
                try Absent(exporter.file)
            }
        }
    }

    /// The role as which the exporter logs in.
    @ResourceBuilder
    public var monitoringRole: [any Resource] {
        if configuration.monitoring != nil {
            let role = ClusterConfiguration.Monitoring.role
            PostgresRole(role: role, password: nil, flags: [], catalog: catalog)
            PostgresMembership(role: role, group: "pg_monitor", catalog: catalog)
        }
    }
}
