import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Balancing {
    /// How many connections HAProxy takes: `haproxy_maxconn` and `haproxy_maxconn_global`.
    public struct Limits: Sendable, Equatable {
        /// In all; nil for as many as the host allows, up to `customary`.
        public var global: Int?
        /// At each port that leads to the leader.
        public var leader = 10_000
        /// At each of the others.
        public var replicas = 10_000

        static let customary = 20_000

        /// How many files HAProxy opens for so many connections: two for each, and a few of its own.
        static func files(for connections: Int) -> Int { 2 * connections + ClusterConfiguration.sparedFiles }
    }

    /// What `haproxy_maxconn` says: one number for every port, or by its keys.
    struct GivenLimits: Equatable {
        let global: Int?
        let leader: Int?
        let replicas: Int?
    }
}

extension ClusterConfiguration.Balancing.GivenLimits: YAMLDecodable {
    /// `10000`, or `{ global: 20000, master: 10000, replica: 10000 }`, as autobase has it.
    init(yaml node: YAMLNode) throws {
        guard case .mapping = node.value else {
            let each = try Int(yaml: node)
            self.init(global: nil, leader: each, replicas: each)
            return
        }
        var reader = try MappingReader(node, what: "the connections of HAProxy")
        self.init(
            global: reader.optional("global"), leader: reader.optional("master"), replicas: reader.optional("replica"))
        try reader.finish()
    }
}

extension ClusterConfiguration.Balancing.Limits {
    init(_ variables: inout Variables) {
        let given: ClusterConfiguration.Balancing.GivenLimits? = variables.optional("haproxy_maxconn")
        let global: Int? = variables.optional("haproxy_maxconn_global")
        self.init()
        if let global, let other = given?.global, global != other {
            variables.diagnostics.report(
                "haproxy_maxconn_global is \(global), and 'global' of haproxy_maxconn \(other)",
                at: variables.location(of: "haproxy_maxconn"), remedy: "write one of them")
        }
        self.global = global ?? given?.global
        leader = given?.leader ?? leader
        replicas = given?.replicas ?? replicas
        for number in [self.global, leader, replicas].compactMap(\.self) where number < 1 {
            variables.diagnostics.report(
                "\(number) connections are too few", at: variables.location(of: "haproxy_maxconn"),
                remedy: "write 1 or more")
        }
    }
}
