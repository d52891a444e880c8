import Diagnostics
import Inventory
public import YAML

extension ClusterConfiguration.Patroni {
    /// `patroni_standby_cluster`: the other cluster that this one follows, as a whole, instead of being written to.
    public struct StandbySource: Sendable, Equatable {
        /// Where its leader is found: best its own address.
        public let host: String
        public let port: Int
        /// `primary_slot_name`: the slot there that keeps the log for this cluster; nil when nothing does.
        public let slot: String?

        var words: String { "\(host):\(port)" }
    }
}

extension ClusterConfiguration.Patroni.StandbySource: YAMLDecodable {
    /// `{ host: 10.0.0.100, port: 5432, primary_slot_name: far }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "the cluster to follow")
        let host: String? = reader.required("host")
        let port = reader.optional("port") ?? 5432
        let slot: String? = reader.optional("primary_slot_name")
        if let host, host.wholeMatch(of: /([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?/) == nil {
            reader.diagnostics.report("'\(host)' is no host", at: node.location, remedy: "write one address or name")
        }
        if !(1...65_535).contains(port) {
            reader.diagnostics.report("\(port) is no port", at: node.location, remedy: "write 1 to 65535")
        }
        if let slot, slot.wholeMatch(of: /[a-z0-9_]{0,63}/) == nil {
            reader.diagnostics.report(
                "'\(slot)' cannot name a slot", at: node.location,
                remedy: "use small letters, digits and '_', at most 63")
        }
        let place = try reader.finish(host)
        self.init(host: place, port: port, slot: slot.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension Variables {
    /// The cluster to follow; nil when this one is a cluster of its own, which an empty host says too.
    ///
    /// - Parameter backups: the variable that wants backups; nil without any.
    mutating func standbySource(
        members: [Node], backedUpBy backups: String?
    ) -> ClusterConfiguration.Patroni.StandbySource? {
        let name = "patroni_standby_cluster"
        let source: ClusterConfiguration.Patroni.StandbySource? = optional(name)
        let address = text("cluster_vip")
        guard let source, !source.host.isEmpty else { return nil }
        if members.contains(where: { $0.address == source.host || $0.name == source.host }) || source.host == address {
            diagnostics.report(
                "the cluster cannot follow itself: \(source.host) is its own", at: location(of: name),
                remedy: "write the address of another cluster")
        }
        if let backups {
            diagnostics.report(
                "a cluster that follows another one archives nothing of its own, so it can have no backups",
                at: location(of: backups),
                remedy:
                    "leave \(backups) out until patroni_standby_cluster is taken out; the other cluster has backups"
            )
        }
        return source
    }
}
