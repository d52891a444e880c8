public import YAML

extension ClusterConfiguration.Balancing {
    /// The ports of HAProxy, by the keys of `haproxy_listen_port`; nil for those at which it does not listen.
    public struct Ports: Sendable, Equatable {
        /// `master`.
        public var leader = 5000
        /// `replicas`.
        public var replicas = 5001
        /// `replicas_sync`: the replicas that have all that is committed.
        public var synchronous: Int?
        /// `replicas_async`: the others.
        public var asynchronous: Int?
        /// `master_direct` and so on: the same, past the pooler.
        public var leaderDirect: Int?
        public var replicasDirect: Int?
        public var synchronousDirect: Int?
        public var asynchronousDirect: Int?
        /// `stats`.
        public var statistics = 7000
        /// Whether the inventory names the port of the statistics, and so asks for them.
        public var namesStatistics = false

        /// Every port at which it listens.
        var all: [Int] {
            [leader, replicas, statistics]
                + [
                    synchronous, asynchronous, leaderDirect, replicasDirect, synchronousDirect, asynchronousDirect,
                ].compactMap { $0 }
        }

        /// With the ports that are customary in synchronous mode.
        func customary(isSynchronous: Bool) -> Ports {
            var ports = self
            if isSynchronous {
                ports.synchronous = synchronous ?? 5002
                ports.asynchronous = asynchronous ?? 5003
            }
            return ports
        }
    }
}

extension ClusterConfiguration {
    /// Whether HAProxy shows its statistics to other hosts: to Prometheus, or because the inventory names their port.
    var statisticsAreOpen: Bool { monitoring != nil || balancing.ports.namesStatistics }
}

extension ClusterConfiguration.Balancing.Ports: YAMLDecodable {
    /// `{ master: 5000, replicas: 5001, stats: 7000 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "the ports of HAProxy")
        var ports = ClusterConfiguration.Balancing.Ports()
        ports.leader = reader.optional("master") ?? ports.leader
        ports.replicas = reader.optional("replicas") ?? ports.replicas
        ports.synchronous = reader.optional("replicas_sync")
        ports.asynchronous = reader.optional("replicas_async")
        ports.leaderDirect = reader.optional("master_direct")
        ports.replicasDirect = reader.optional("replicas_direct")
        ports.synchronousDirect = reader.optional("replicas_sync_direct")
        ports.asynchronousDirect = reader.optional("replicas_async_direct")
        if let statistics: Int = reader.optional("stats") {
            ports.statistics = statistics
            ports.namesStatistics = true
        }
        try reader.finish()
        self = ports
    }
}
