public import Inventory

/// Daemons of one kind, as `file_sd_configs` of Prometheus reads them.
public struct ScrapeTargets: Encodable, Hashable, Sendable {
    /// Each with its port.
    public let targets: [String]
    /// `job`, `cluster`, and `__scheme__` where they are asked by TLS.
    public let labels: [String: String]

    /// What Prometheus can read of the cluster of an inventory.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory.
    public static func all(of inventory: Inventory) throws -> [ScrapeTargets] {
        try all(of: ClusterConfiguration(inventory))
    }

    static func all(of configuration: ClusterConfiguration) -> [ScrapeTargets] {
        func targets(_ job: String, _ nodes: [Node], _ port: Int?, speakTLS: Bool = false) -> [ScrapeTargets] {
            guard let port, !nodes.isEmpty else { return [] }
            var labels = ["job": job, "cluster": configuration.name]
            if speakTLS { labels["__scheme__"] = "https" }
            return [ScrapeTargets(targets: nodes.map { "\($0.address):\(port)" }, labels: labels)]
        }
        let monitoring = configuration.monitoring
        return targets("node", configuration.nodes, monitoring?.hostPort)
            + targets("postgres", configuration.members, monitoring?.databasePort)
            + targets(
                "patroni", configuration.members, configuration.patroni.restPort, speakTLS: configuration.tls != nil)
            + targets("etcd", configuration.etcd, 2379, speakTLS: configuration.tls != nil)
            + targets(
                "haproxy", configuration.balancers,
                configuration.statisticsAreOpen ? configuration.balancing.ports.statistics : nil)
    }
}
