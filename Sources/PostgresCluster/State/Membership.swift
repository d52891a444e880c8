/// The members of a cluster by the word of the cluster: who belongs to it, where, and how each is doing.
///
/// It may know members that the inventory does not name, and it knows nothing while no Patroni answers.
public struct Membership: Hashable, Sendable {
    /// A member by the word of the cluster.
    public struct Member: Hashable, Sendable {
        public let name: String
        /// Where its PostgreSQL listens, as the other members reach it; nil while it has not told.
        public let address: String?
        /// `leader`, `replica`, `sync_standby`, `standby_leader`.
        public let role: String
        /// `running`, `creating replica`, `starting`, `stopped` …
        public let state: String
        public let timeline: Int?
        /// Bytes behind the leader, or nil when nobody can tell.
        public let lag: Int?
        /// Its tags that are true, such as `nofailover`.
        public var tags: Set<String> = []

        public var isLeader: Bool { role == "leader" || role == "standby_leader" }

        /// Whether PostgreSQL runs there. Later versions of Patroni say `streaming` of a replica that does.
        public var isRunning: Bool { state == "running" || state == "streaming" }
    }

    /// In the order of Patroni, which is that of their names.
    public let members: [Member]
    /// Whether somebody has paused Patroni, so that it neither fails over nor starts what is down.
    public let isPaused: Bool

    public init(members: [Member] = [], isPaused: Bool = false) {
        self.members = members
        self.isPaused = isPaused
    }

    public var leader: Member? { members.first(where: \.isLeader) }

    public func member(named name: String) -> Member? { members.first { $0.name == name } }

    /// Those that are not in `names`.
    public func members(except names: some Collection<String>) -> [Member] {
        members.filter { !names.contains($0.name) }
    }

    /// What must be put right before the cluster may be changed, each as a sentence.
    ///
    /// - Parameter name: a member whose own state does not matter, because it is the one that comes or goes.
    public func troubles(without name: String? = nil) -> [String] {
        guard let leader else { return ["no member leads the cluster"] }
        var troubles = isPaused ? ["the cluster is paused: end it with `patronictl resume`"] : []
        for member in members where member.name != name {
            if !member.isRunning {
                troubles.append("the member \(member.name) is \(member.state)")
            } else if let timeline = member.timeline, let leading = leader.timeline, timeline != leading {
                troubles.append("the member \(member.name) is on timeline \(timeline), the leader on \(leading)")
            }
        }
        return troubles
    }
}

extension Membership {
    init(_ cluster: PatroniStatus.Cluster) {
        self.init(
            members: cluster.members.map { member in
                var lag: Int?
                if case .bytes(let bytes) = member.lag { lag = bytes }
                return Member(
                    name: member.name, address: member.host, role: member.role, state: member.state,
                    timeline: member.timeline, lag: lag,
                    tags: Set((member.tags ?? [:]).filter { $0.value.scalar == "true" }.keys))
            },
            isPaused: cluster.pause ?? false)
    }
}
