import Inventory

/// Daemons of a cluster, by what they are for.
public enum LogRole: String, CaseIterable, Sendable {
    /// The daemons of the member that leads at this moment.
    case leader
    /// The daemons of the other members.
    case replica
    /// Patroni, PostgreSQL, and what fences it.
    case member
    case pooler, etcd
    /// HAProxy, and keepalived wherever it is.
    case balancer
    case backup
}

extension ClusterConfiguration {
    /// The units of a host, each with its role.
    func logUnits(of host: Host) -> [(role: LogRole, unit: String)] {
        func has(_ nodes: [Node]) -> Bool { nodes.contains { $0.name == host.name } }
        var units: [(LogRole, [String])] = []
        if has(members) { units += [(.member, ["patroni", PatroniFence.unit]), (.pooler, ["pgbouncer"])] }
        if has(etcd) { units.append((.etcd, ["etcd"])) }
        if has(balancers) { units.append((.balancer, ["haproxy"])) }
        if mayHoldAddress(host.name) { units.append((.balancer, ["keepalived"])) }
        if has(backupHosts) {
            let timer = walg == nil ? BackupScript.timer : WALG.timer
            units.append((.backup, BackupKind.allCases.map { "\(timer)-\($0.rawValue)" }))
        }
        return units.flatMap { role, names in names.map { (role, "\($0).service") } }
    }

    /// Where PostgreSQL writes files of its own, so that its messages are not in the journal of Patroni; nil where it writes
    /// none.
    var logDirectory: String? {
        postgres.declaredLogDirectory.map { $0.hasPrefix("/") ? $0 : "\(postgres.dataDirectory)/\($0)" }
    }
}

extension ClusterConfiguration.Postgres {
    /// `log_directory`, absolute or within the data directory; nil while PostgreSQL writes no files of its own.
    fileprivate var declaredLogDirectory: String? {
        func value(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        guard ["on", "true", "yes", "1"].contains(value("logging_collector")?.lowercased()) else { return nil }
        return value("log_directory") ?? "log"
    }

    /// The absolute `log_directory` that Drover creates; nil where PostgreSQL creates one in its data directory, and for
    /// `/var/log/postgresql`, which its package contains.
    var ownLogDirectory: String? {
        declaredLogDirectory.flatMap { $0.hasPrefix("/") && $0 != "/var/log/postgresql" ? $0 : nil }
    }
}
