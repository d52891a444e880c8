import Diagnostics
import Inventory

extension ClusterModel {
    /// Checks that a host stands in the group 'replica', so that it can become or cease to be a member.
    ///
    /// - Parameter withEtcd: whether it must stand in 'etcd_cluster' too.
    /// - Throws: `Diagnostic` with the names that may have been meant.
    public func requireReplica(_ name: String, withEtcd: Bool = false) throws {
        let replicas = configuration.members.filter { $0.host.groups.contains("replica") }
        try require(name, in: "replica", among: replicas)
        if withEtcd { try require(name, in: "etcd_cluster", among: configuration.etcd) }
    }

    /// Checks that a host stands in the group 'balancers'.
    ///
    /// - Throws: `Diagnostic` with the names that may have been meant.
    public func requireBalancer(_ name: String) throws {
        try require(name, in: "balancers", among: configuration.balancers)
    }

    private func require(_ name: String, in group: String, among nodes: [Node]) throws {
        let names = nodes.map(\.name)
        if names.contains(name) { return }
        if configuration.hosts.contains(where: { $0.name == name }) {
            throw Diagnostic(
                "the host '\(name)' is not in the group '\(group)'", remedy: "put it there in the inventory")
        }
        let list =
            names.isEmpty
            ? "no host is in the group '\(group)'" : "the group '\(group)' has \(names.joined(separator: ", "))"
        throw Diagnostic(
            "the inventory names no host '\(name)'",
            remedy: Suggestion.remedy(for: name, among: names) ?? list)
    }
}
