import DroverCLI
import PostgresCluster

/// What a map of a cluster shows: boxes and the arrows between them. The picture and its description are made of this alone.
struct ClusterMap: Equatable {
    /// How a box looks, beside what it says.
    enum Look: String {
        case plain, leader, bad
    }

    struct Box: Equatable {
        let id: String
        let title: String
        let details: [String]
        let look: Look
        /// How many boxes stand between it and the source of its data.
        var depth = 0
    }

    struct Arrow: Equatable {
        enum Kind: String {
            /// The way of clients.
            case route
            case replication
        }

        let from: String
        let to: String
        let kind: Kind
        var label = ""
    }

    /// The way of the data, from top to bottom: VIP, balancers, members.
    private(set) var path: [Box] = []
    /// What the members rely on: etcd and the repository.
    private(set) var aside: [Box] = []
    private(set) var arrows: [Arrow] = []

    init(_ status: ClusterStatus) {
        addVIP(status)
        addBalancers(status.balancers)
        addMembers(status)
        addEtcd(status.etcd)
        if let backups = status.backups { addRepository(backups) }
        arrows.removeAll { arrow in !path.contains { $0.id == arrow.to } }
    }

    /// The map in sentences.
    var sentences: [String] {
        (path + aside).map { "\($0.title): \($0.details.joined(separator: ", "))." }
            + arrows.map { arrow in
                let verb = arrow.kind == .route ? "routes to" : "replicates to"
                let label = arrow.label.isEmpty ? "" : ", \(arrow.label)"
                return "\(title(of: arrow.from)) \(verb) \(title(of: arrow.to))\(label)."
            }
    }

    private func title(of id: String) -> String { path.first { $0.id == id }?.title ?? id }

    private static func member(_ name: String) -> String { "member \(name)" }
    private static func balancer(_ name: String) -> String { "balancer \(name)" }

    // MARK: The way of clients

    private mutating func addVIP(_ status: ClusterStatus) {
        guard let address = status.address else { return }
        let holders = status.holders
        let isHeld = holders.count == 1
        path.append(
            Box(
                id: "vip", title: address,
                details: [
                    "VIP, " + (holders.isEmpty ? "held by no host" : "held by \(holders.joined(separator: " and "))")
                ],
                look: isHeld ? .plain : .bad))
        arrows += holders.map {
            Arrow(from: "vip", to: status.addressFollowsLeader ? Self.member($0) : Self.balancer($0), kind: .route)
        }
    }

    private mutating func addBalancers(_ balancers: [ClusterStatus.Balancer]) {
        func list(_ names: [String]) -> String { names.isEmpty ? "no member" : names.joined(separator: " ") }
        for balancer in balancers {
            path.append(
                Box(
                    id: Self.balancer(balancer.name), title: "balancer \(balancer.name)",
                    details: balancer.isServing
                        ? ["writes to \(list(balancer.leader))", "reads from \(list(balancer.replicas))"]
                        : ["HAProxy is silent"], look: balancer.isServing ? .plain : .bad))
            guard balancer.isServing else { continue }
            arrows += balancer.leader.map {
                Arrow(from: Self.balancer(balancer.name), to: Self.member($0), kind: .route)
            }
        }
    }

    // MARK: The members

    private mutating func addMembers(_ status: ClusterStatus) {
        let members = status.members
        let leaders = members.filter(\.isLeader)
        if let source = status.follows {
            path.append(
                Box(id: "source", title: source, details: ["cluster that this one replicates from"], look: .plain))
            arrows += leaders.filter { $0.state == "streaming" }.map {
                Arrow(from: "source", to: Self.member($0.name), kind: .replication)
            }
        }
        if leaders.isEmpty {
            let isBlind = members.allSatisfy { $0.state == "unknown" }
            path.append(
                Box(
                    id: "leader", title: isBlind ? "leader unknown" : "no leader",
                    details: [isBlind ? "no host reports the members" : "no member accepts writes"], look: .bad))
        }
        let depth = status.follows == nil ? 0 : 1
        for leader in leaders { add(leader, of: members, depth: depth) }
        // Those that have no source, and those whose source is not shown.
        for member in members where !path.contains(where: { $0.id == Self.member(member.name) }) {
            add(member, of: members, depth: 0)
        }
    }

    /// Adds a member and those that stream from it.
    private mutating func add(_ member: ClusterStatus.Member, of members: [ClusterStatus.Member], depth: Int) {
        guard !path.contains(where: { $0.id == Self.member(member.name) }) else { return }
        let isUp = ["running", "streaming"].contains(member.state)
        let isWell = member.isLeader ? isUp : member.state == "streaming"
        let role = member.role.map { [$0.replacing("_", with: " ")] } ?? []
        let timeline = member.timeline.map { ["timeline \($0)"] } ?? []
        path.append(
            Box(
                id: Self.member(member.name), title: member.name,
                details: [(role + [member.state] + timeline).joined(separator: ", ")],
                look: !isWell ? .bad : member.isLeader ? .leader : .plain, depth: depth))
        for replica in members where replica.source == member.name && replica.name != member.name {
            arrows.append(
                Arrow(
                    from: Self.member(member.name), to: Self.member(replica.name), kind: .replication,
                    label: replica.lag.map { "lag \(Text.bytes($0))" } ?? "lag unknown"))
            add(replica, of: members, depth: depth + 1)
        }
    }

    // MARK: What they rely on

    private mutating func addEtcd(_ members: [ClusterStatus.Etcd]) {
        guard !members.isEmpty else { return }
        let healthy = members.count { $0.isHealthy }
        let quorum = 2 * healthy > members.count ? "quorum" : "no quorum"
        aside.append(
            Box(
                id: "etcd", title: "etcd: \(quorum), \(healthy) of \(members.count) healthy",
                details: members.map { "\($0.name) \($0.isHealthy ? "healthy" : "not healthy")" },
                look: healthy == members.count ? .plain : .bad))
    }

    private mutating func addRepository(_ backups: BackupStatus) {
        let newest = backups.newest.map { "newest \($0)" + (backups.age.map { ", \(Text.age($0)) old" } ?? "") }
        aside.append(
            Box(
                id: "repository", title: "backup repository",
                details: [
                    Text.count(backups.count, "backup"), newest,
                    "WAL archive \(backups.isArchiving ? "healthy" : "not healthy")",
                ].compactMap(\.self), look: backups.isArchiving && backups.count > 0 ? .plain : .bad))
    }
}
