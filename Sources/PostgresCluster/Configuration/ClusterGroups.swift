import Diagnostics
import Inventory
import YAML

/// The groups that give hosts their part in a cluster.
struct ClusterGroups {
    /// Those that give a host a part.
    static let parts: Set = ["etcd_cluster", "master", "replica", "balancers", "pgbackrest"]
    private static let known = parts.union(["postgres_cluster"])

    private let inventory: Inventory

    init(_ inventory: Inventory) {
        self.inventory = inventory
    }

    /// The hosts of a group with the addresses of their daemons: `bind_address`, or else the address by which they are
    /// reached.
    func nodes(in group: String, _ variables: inout Variables) -> [Node] {
        inventory.hosts(in: group).map { host in
            let bindAddress: String? = variables.optional("bind_address", of: host)
            let address = bindAddress ?? host.address
            if !Node.isAddress(address) {
                variables.diagnostics.report(
                    "'\(address)' of \(host.name) is no IPv4 address",
                    at: host.variables["bind_address"]?.node.location ?? host.location,
                    remedy: "set bind_address to the address at which its daemons shall listen")
            }
            return Node(host: host, address: address)
        }
    }

    /// Reports groups that are missing, of a wrong size or misspelt.
    ///
    /// - Parameter needsEtcd: whether etcd is to be set up.
    func check(_ diagnostics: inout Diagnostics, needsEtcd: Bool = true) {
        let etcd = inventory.hosts(in: "etcd_cluster").count
        if etcd == 0, needsEtcd { reportMissing("etcd_cluster", &diagnostics) }
        if etcd > 0, etcd.isMultiple(of: 2) {
            diagnostics.report(
                "the group 'etcd_cluster' has \(etcd) hosts", at: location(of: "etcd_cluster"),
                remedy: "give it 1, 3, 5 or 7: one more than an odd number tolerates no more losses")
        }
        let master = inventory.hosts(in: "master").count
        if master == 0 { reportMissing("master", &diagnostics) }
        if master > 1 {
            diagnostics.report(
                "the group 'master' has \(master) hosts", at: location(of: "master"),
                remedy: "name the one that begins the cluster, and put the others into 'replica'")
        }
        for host in inventory.hosts where ClusterGroups.parts.isDisjoint(with: host.groups) {
            let groups = host.groups.filter { $0 != "ungrouped" }.map { "'\($0)'" }.joined(separator: ", ")
            diagnostics.report(
                "the host '\(host.name)' has no part in the cluster: it is "
                    + (groups.isEmpty ? "in no group" : "only in \(groups)"), at: host.location,
                remedy: host.groups.lazy.compactMap { Suggestion.remedy(for: $0, among: ClusterGroups.parts) }.first
                    ?? "put it into \(ClusterGroups.parts.sorted().joined(separator: ", ")), or take it out")
        }
        for host in inventory.hosts(in: "master") where host.groups.contains("replica") {
            diagnostics.report(
                "the host '\(host.name)' is both in 'master' and in 'replica'", at: host.location,
                remedy: "leave it in one of them")
        }
        let others = inventory.groups.filter { !ClusterGroups.known.contains($0.name) }
        if inventory.hosts(in: "balancers").isEmpty,
            let near = Suggestion.nearest(to: "balancers", among: others.map(\.name))
        {
            diagnostics.report(
                "'\(near)' is no group of a cluster", at: location(of: near), remedy: "write 'balancers'")
        }
        reportCollisions(&diagnostics)
        reportKeywords(&diagnostics)
    }

    private func reportMissing(_ group: String, _ diagnostics: inout Diagnostics) {
        let others = inventory.groups.filter { !ClusterGroups.known.contains($0.name) }
        let near = Suggestion.nearest(to: group, among: others.map(\.name))
        diagnostics.report(
            "no host is in the group '\(group)'", at: near.flatMap(location),
            remedy: near.map { "'\($0)' is no group of a cluster: write '\(group)'" })
    }

    /// Patroni makes the name of a replication slot from the name of a member, and two names may become one.
    private func reportCollisions(_ diagnostics: inout Diagnostics) {
        var slots: [String: Host] = [:]
        for host in inventory.hosts(in: "master") + inventory.hosts(in: "replica") {
            let slot = ReplicationSlot.name(of: host.name)
            if let other = slots[slot], other.name != host.name {
                diagnostics.report(
                    "'\(host.name)' and '\(other.name)' would share the replication slot '\(slot)'", at: host.location,
                    remedy: "let their names differ in letters or digits")
            }
            slots[slot] = host
        }
    }

    /// Patroni before 4.0.2 writes these names into `synchronous_standby_names` without quotes (pull request 3161). PostgreSQL
    /// takes them for keywords and refuses the value, so no replica becomes synchronous.
    private func reportKeywords(_ diagnostics: inout Diagnostics) {
        for host in inventory.hosts(in: "master") + inventory.hosts(in: "replica")
        where ["any", "first"].contains(host.name.lowercased()) {
            diagnostics.report(
                "'\(host.name)' cannot name a member: it is a keyword in synchronous_standby_names", at: host.location,
                remedy: "choose another name")
        }
    }

    private func location(of group: String) -> SourceLocation? {
        inventory.groups.first { $0.name == group }?.location
    }
}
