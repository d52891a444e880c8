public import Engine
public import Inventory
import SystemResources

extension ClusterModel {
    /// Everything that decides whether a member may take over the lead.
    public func questionsBeforeSwitchover(of host: Host) -> [any Fact] {
        var more: [any Fact] = []
        for node in configuration.members where node.name == host.name {
            more = [
                PostgresCatalog(of: configuration, databases: []), UnitStatus("pgbouncer.service"),
                Cluster(self, given: Observations()).sharedConfigurationQuestion(at: node),
            ]
        }
        return questions(of: host) + more
    }

    /// Checks that a host is a member that may be named as the next leader.
    ///
    /// - Throws: `Diagnostic` with the names that may have been meant.
    public func requireMember(_ name: String) throws {
        try require(name, among: configuration.members, in: "'master' or 'replica'")
    }
}

extension Cluster {
    /// The member that shall lead: the one that was named, or the one in the group `master`.
    public func successor(named name: String?) -> String { name ?? configuration.members[0].name }

    /// Lets a member take over the lead only when it will do it at once, without losing anything, and serve clients.
    ///
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnlessMayLead(_ name: String) throws {
        try refuseUnlessNewOrRunning()
        guard state != .new else {
            throw Refusal(
                "there is no cluster '\(configuration.name)' yet",
                remedies: ["make it with `drover apply deploy-cluster`"])
        }
        if isStandby || membership.leader?.role == "standby_leader" {
            throw Refusal(
                "the cluster '\(configuration.name)' follows another one: nobody can write to it, and clients have nothing to "
                    + "wait for",
                remedies: ["let another member follow by `patronictl -c /etc/patroni/config.yml failover`"])
        }
        guard membership.leader?.name != name, let node = configuration.members.first(where: { $0.name == name }) else {
            return
        }
        let obstacles = Succession(
            name: name, membership: membership, maximumLag: configuration.patroni.maximumLagOnFailover,
            isSynchronous: synchronousNodes > 0,
            upstream: configuration.upstream(of: name).flatMap { $0 == membership.leader?.name ? nil : $0 },
            isStreaming: observed[node.host].ifKnown(PostgresCatalog(of: configuration, databases: []))?.isStreaming
                ?? false,
            hasPooler: observed[node.host].ifKnown(UnitStatus("pgbouncer.service"))?.isRunning == true
        ).obstacles
        if !obstacles.isEmpty { throw Refusal("\(name) cannot take over the lead now", remedies: obstacles) }
    }
}

/// Decides whether a member may take over the lead.
struct Succession {
    let name: String
    let membership: Membership
    /// Bytes, `maximum_lag_on_failover`.
    let maximumLag: Int
    /// Whether only a synchronous replica may.
    let isSynchronous: Bool
    /// The member, other than the leader, from which it is to stream; nil without one.
    var upstream: String?
    /// Whether it receives the log.
    let isStreaming: Bool
    /// Whether its pooler runs.
    let hasPooler: Bool

    /// Everything that stands in the way, each as a sentence with its remedy.
    var obstacles: [String] {
        guard let leader = membership.leader else {
            return ["no member leads the cluster: bring it back with `drover apply deploy-cluster`"]
        }
        var found: [String] = []
        if membership.isPaused { found.append("the cluster is paused: end it with `patronictl resume`") }
        guard let member = membership.member(named: name) else {
            return found + ["\(name) is no member of the cluster: make it one with `drover apply add-pgnode`"]
        }
        // What Patroni tells of a member may be as old as its last turn; what it says itself is not.
        if !member.isRunning, !isStreaming {
            found.append("\(name) is \(member.state): bring it back with `drover apply deploy-cluster`")
        } else if !isStreaming {
            found.append("\(name) does not stream from the leader: `drover status` tells more")
        }
        if let timeline = member.timeline, let leading = leader.timeline, timeline != leading {
            found.append("\(name) is on timeline \(timeline), the leader on \(leading): wait until it has followed")
        }
        let isFar = member.lag.map { $0 > maximumLag } ?? !isStreaming
        if isFar, member.isRunning || isStreaming {
            let lag = member.lag.map { "\($0) bytes" } ?? "an unknown distance"
            found.append(
                "\(name) is \(lag) behind the leader, and \(maximumLag) are allowed: wait until it has caught up")
        }
        if member.tags.contains("nofailover") {
            found.append("\(name) has the tag nofailover: take it out of its patroni_tags, or choose another member")
        }
        if isSynchronous, member.tags.contains("nosync") {
            found.append(
                "\(name) has the tag nosync, and only a synchronous replica has everything: choose another member")
        }
        if isSynchronous, let upstream {
            found.append(
                "\(name) replicates from \(upstream), and only a synchronous replica has everything: choose another member"
            )
        }
        if !hasPooler {
            found.append("PgBouncer does not run on \(name): start it with `drover apply deploy-cluster`")
        }
        return found
    }
}
