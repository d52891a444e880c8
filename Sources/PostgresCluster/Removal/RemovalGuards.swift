import Engine

/// Decides whether a cluster may be removed.
struct RemovalGuards {
    let cluster: String
    let dataDirectory: String
    let removal: ClusterConfiguration.Removal
    /// Whether the data is deleted.
    let deletes: Bool
    /// Whether it does not matter who uses it.
    let evenIfInUse: Bool

    /// Everything that forbids it.
    func refusals(given found: RemovalFindings) -> [Refusal] {
        var refusals: [Refusal] = []
        if removal.isProtected {
            refusals.append(
                Refusal(
                    "the cluster '\(cluster)' is protected",
                    remedies: ["if it is to go, write 'cluster_protected: false' into the inventory"]))
        }
        if removal.postgres || removal.etcd { refusals += mute(found.etcd) }
        guard removal.postgres else { return refusals }
        refusals += mismatches(found) + strayLinks(found) + mounts(found)
        if !evenIfInUse { refusals += uses(found) }
        return refusals
    }

    /// Whose keys are in etcd must be known, and those of the cluster must be deleted.
    private func mute(_ etcd: EtcdRemains) -> [Refusal] {
        if etcd.isMute {
            return [
                Refusal(
                    "etcd does not answer, so nobody can tell whose keys are in it",
                    remedies: ["start it with `systemctl start etcd` on its members, and run this again"])
            ]
        }
        if removal.postgres, !etcd.own.isEmpty, !etcd.isHealthy {
            return [
                Refusal(
                    "etcd has no quorum, so the keys of the cluster cannot be deleted",
                    remedies: ["bring back those of its members that are down, and run this again"])
            ]
        }
        return []
    }

    func mismatches(_ found: RemovalFindings) -> [Refusal] {
        var reasons: [String] = []
        let strangers = found.known.subtracting(found.members.map(\.name)).sorted()
        if !strangers.isEmpty {
            reasons.append("the inventory does not name its live members \(strangers.joined(separator: ", "))")
        }
        for member in found.members {
            if let scope = member.servedScope ?? member.configuredScope, scope != cluster {
                reasons.append("the Patroni of \(member.name) belongs to the cluster '\(scope)'")
            } else if let reason = strangeness(of: member, found) {
                reasons.append(reason)
            }
        }
        let systems = found.members.compactMap { member in
            if case .initialised(let system) = member.directory { (member.name, system) } else { nil }
        }
        if let first = systems.first, let other = systems.first(where: { $0.1 != first.1 }) {
            reasons.append(
                "the databases of \(first.0) and \(other.0) are not of one cluster: their system identifiers are "
                    + "\(first.1) and \(other.1)")
        } else if let first = systems.first, let stored = found.storedSystem, stored != first.1 {
            reasons.append(
                "the database of \(first.0) has the system identifier \(first.1), but etcd knows the cluster by "
                    + stored)
        }
        return reasons.map {
            Refusal(
                "the live cluster is not the one of the inventory: \($0)",
                remedies: ["correct the inventory, or move away what belongs to somebody else"])
        }
    }

    /// Why the data of a member cannot be taken for the cluster's.
    private func strangeness(of member: RemovalFindings.Member, _ found: RemovalFindings) -> String? {
        let isOwn = member.servedScope == cluster
        switch member.directory {
        case .empty: return nil
        case .unreadable:
            return isOwn ? nil : "the data directory of \(member.name) holds something that is no database system"
        case .initialised(let system):
            let isClaimed = isOwn || member.configuredScope == cluster || found.storedSystem == system
            return isClaimed ? nil : "nothing shows that the database of \(member.name) belongs to it"
        }
    }

    /// The links of a data directory are its owner's, and may lead to what is not the cluster's.
    func strayLinks(_ found: RemovalFindings) -> [Refusal] {
        found.members.flatMap { member in member.unfit.map { $0.refusal(of: dataDirectory, on: member.name) } }
    }

    private func mounts(_ found: RemovalFindings) -> [Refusal] {
        let members = found.members.filter { $0.place?.isMountPoint == true }.map(\.name)
        guard !deletes, !members.isEmpty else { return [] }
        return [
            Refusal(
                "\(dataDirectory) is a mount point on \(members.joined(separator: ", ")), which cannot be renamed",
                remedies: ["save what is to be kept, and say --purge"])
        ]
    }

    private func uses(_ found: RemovalFindings) -> [Refusal] {
        found.members.flatMap { member -> [Refusal] in
            var refusals: [Refusal] = []
            let clients = member.use.clients.map { session, count in
                "\(session.user) to \(session.database) from \(session.address.isEmpty ? "itself" : session.address)"
                    + (count > 1 ? " (\(count))" : "")
            }.sorted()
            if !clients.isEmpty {
                let more = clients.count > 5 ? ", and \(clients.count - 5) more" : ""
                refusals.append(
                    Refusal(
                        "clients are connected to \(member.name): \(clients.prefix(5).joined(separator: ", "))\(more)",
                        remedies: ["let them end, or say --even-if-in-use"]))
            }
            if let time = member.use.writtenSince {
                refusals.append(
                    Refusal(
                        "somebody has written to \(member.name) since its last checkpoint at \(time) UTC",
                        remedies: [
                            "find out who: the next checkpoint, at most checkpoint_timeout after the last write, ends this",
                            "or say --even-if-in-use",
                        ]))
            }
            return refusals
        }
    }
}
