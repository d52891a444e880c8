import Diagnostics
import Inventory

/// What a cluster takes for itself of what others could want too.
struct ClusterFootprint {
    let name: String
    private let nodes: [Node]
    private let address: String?
    private let prefix: Int
    private let routerID: Int
    private let place: SourceLocation?

    /// - Parameter inventory: that of this cluster alone. What is wrong in it is told when that cluster is worked on.
    init(_ name: String, of inventory: Inventory) {
        var variables = Variables(of: inventory)
        let groups = ClusterGroups(inventory)
        var seen: Set<String> = []
        self.name = name
        nodes = ["etcd_cluster", "master", "replica", "balancers", "pgbackrest"]
            .flatMap { groups.nodes(in: $0, &variables) }.filter { seen.insert($0.name).inserted }
        let balancing = ClusterConfiguration.Balancing(
            &variables, balancers: groups.nodes(in: "balancers", &variables), checkInterval: 0, isSynchronous: false,
            tags: [:])
        (address, prefix, routerID) = (balancing.address, balancing.prefix, balancing.routerID)
        place = variables.location(of: "cluster_vip")
    }

    /// Reports what two clusters would take from each other.
    static func reportClashes(among clusters: [ClusterFootprint], _ diagnostics: inout Diagnostics) {
        for (index, cluster) in clusters.enumerated() {
            for other in clusters[..<index] { cluster.reportClashes(with: other, &diagnostics) }
        }
    }

    private func reportClashes(with other: ClusterFootprint, _ diagnostics: inout Diagnostics) {
        let both = "the clusters '\(other.name)' and '\(name)'"
        for node in nodes {
            guard let double = other.nodes.first(where: { $0.address == node.address }) else { continue }
            diagnostics.report(
                "'\(double.name)' of '\(other.name)' and '\(node.name)' of '\(name)' have one address, \(node.address)",
                at: node.host.location, remedy: "give each cluster hosts of its own")
        }
        for (holder, neighbour) in [(self, other), (other, self)] {
            guard let owner = neighbour.nodes.first(where: { $0.address == holder.address }) else { continue }
            diagnostics.report(
                "cluster_vip \(owner.address) of '\(holder.name)' is the address of \(owner.name) of '\(neighbour.name)'",
                at: holder.place, remedy: "choose one that no host has")
        }
        guard let address, let theirs = other.address else { return }
        if address == theirs {
            diagnostics.report(
                "\(both) have one cluster_vip, \(address)", at: place, remedy: "give each an address of its own")
        } else if routerID == other.routerID, InterfaceNetworks.contains("\(address)/\(prefix)", theirs) {
            diagnostics.report(
                "\(both) have one virtual router id, \(routerID), on one network", at: place,
                remedy: "give one of them another keepalived_virtual_router_id")
        }
    }
}
