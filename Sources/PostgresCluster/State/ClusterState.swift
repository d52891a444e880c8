/// What was found of a cluster before anything is changed.
public enum ClusterState: Hashable, Sendable {
    /// Nobody was asked yet.
    case unknown
    /// There is nothing: it can be made.
    case new
    /// It exists, and its members belong together. The leader is nil while there is none, or none can be asked; then one
    /// of the members with a database will lead.
    case running(leader: String?, withDatabase: [String])
    /// Some of its parts exist without the others.
    case partial(String)
    /// What exists is something else.
    case foreign(String)
}

extension ClusterState {
    /// What was found, host by host.
    struct Findings {
        /// The data directory of each member, by name, in the order of the inventory.
        var directories: [(member: String, found: PostgresDirectory.Answer)]
        /// What the consensus store says, or nil when it does not answer.
        var store: Store?
        /// The members whose Patroni answers and belongs to this cluster.
        var served: Set<String>
        /// The leader by the word of any member.
        var leader: String?
        /// The member whose database stands alone and is to become the cluster's.
        var standAlone: String?

        struct Store: Hashable {
            /// The system identifier of the cluster, or nil when the store does not know the cluster.
            var systemIdentifier: String?
        }
    }

    /// Decides from what was found whether the cluster can be made, or continued, or must not be touched.
    init(_ findings: Findings) {
        let systems = findings.directories.compactMap { entry -> (member: String, system: String)? in
            if case .initialised(let system) = entry.found { (entry.member, system) } else { nil }
        }
        // What the cluster's own Patroni has begun to clone is no database system yet, but not foreign either.
        let unreadable = findings.directories.first { $0.found == .unreadable && !findings.served.contains($0.member) }
        if let other = unreadable {
            self = .foreign("the data directory of \(other.member) holds something that is no database system")
        } else if let first = systems.first, let other = systems.first(where: { $0.system != first.system }) {
            self = .foreign(
                "the databases of \(first.member) and \(other.member) are not of one cluster: their system "
                    + "identifiers are \(first.system) and \(other.system)")
        } else if let stored = findings.store?.systemIdentifier {
            guard let first = systems.first else {
                self = .partial(
                    "etcd knows this cluster (system identifier \(stored)), but no member has a database")
                return
            }
            guard first.system == stored else {
                self = .foreign(
                    "the database of \(first.member) has the system identifier \(first.system), but etcd knows the "
                        + "cluster by \(stored)")
                return
            }
            self = .running(leader: findings.leader, withDatabase: systems.map(\.member))
        } else if let first = systems.first {
            // While Patroni is at work it completes the store itself; and while etcd is down nothing can be said.
            guard findings.store != nil, findings.served.isEmpty else {
                self = .running(leader: findings.leader, withDatabase: systems.map(\.member))
                return
            }
            if systems.count == 1, first.member == findings.standAlone {
                self = .running(leader: findings.leader, withDatabase: [first.member])
                return
            }
            self = .partial("\(first.member) has a database, but etcd does not know the cluster")
        } else {
            self = .new
        }
    }
}
