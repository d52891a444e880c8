import Diagnostics
public import Inventory
import YAML

extension Host {
    /// The cluster that it belongs to, by its own word.
    fileprivate var cluster: String? { variables[Inventory.clusterVariable]?.node.text }
}

extension Inventory {
    fileprivate static let clusterVariable = "patroni_cluster_name"

    /// The clusters of the inventory, in its order: a host belongs to the one that its `patroni_cluster_name` names.
    public var clusters: [String] {
        var seen: Set<String> = []
        return hosts.compactMap(\.cluster).filter { seen.insert($0).inserted }
    }

    /// The inventory of one of its clusters.
    ///
    /// - Throws: `Diagnostics` when there is no such cluster, when a host with a part in a cluster names none, or when clusters
    ///   would take something from each other.
    public func selecting(cluster name: String) throws -> Inventory {
        let names = clusters
        guard names.contains(name) else {
            let list =
                names.isEmpty
                ? "no host has a \(Inventory.clusterVariable)" : "there are \(names.joined(separator: ", "))"
            throw Diagnostics([
                Diagnostic(
                    "--cluster \(name): the inventory has no such cluster",
                    remedy: Suggestion.remedy(for: name, among: names) ?? list)
            ])
        }
        var diagnostics = Diagnostics()
        for host in hosts where host.cluster == nil {
            guard let part = host.groups.first(where: ClusterGroups.parts.contains) else { continue }
            diagnostics.report(
                "'\(host.name)' is in '\(part)', and belongs to no cluster", at: host.location,
                remedy: "put it into the group of one whose vars have \(Inventory.clusterVariable)")
        }
        ClusterFootprint.reportClashes(
            among: names.map { name in ClusterFootprint(name, of: keeping { $0.cluster == name }) }, &diagnostics)
        try diagnostics.throwIfAny()
        return keeping { $0.cluster == name }
    }

    /// - Throws: `Diagnostics` when the inventory has several clusters, so that one of them must be chosen.
    func requireOneCluster() throws {
        let names = clusters
        guard names.count > 1 else { return }
        throw Diagnostics([
            Diagnostic(
                "the inventory has \(names.count) clusters: \(names.joined(separator: ", "))",
                remedy: "say which one by --cluster NAME")
        ])
    }
}
