import Diagnostics
import Inventory
import YAML

extension Variables {
    /// The host of `master` for which `postgresql_exists` is true. A replica is cloned, so it has no database of its own.
    mutating func existingServer(groups inventory: Inventory) -> String? {
        let masters = inventory.hosts(in: "master").map(\.name)
        var found: String?
        for host in inventory.hosts {
            guard optional("postgresql_exists", of: host) == true else { continue }
            if masters.contains(host.name) {
                found = host.name
            } else {
                diagnostics.report(
                    "postgresql_exists is true for \(host.name), which is not in the group 'master'",
                    at: host.variables["postgresql_exists"]?.node.location,
                    remedy: "set it for the host in 'master' alone: the others are cloned from that")
            }
        }
        return found
    }
}
