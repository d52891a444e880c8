/// Decides what is wrong with a cluster as a whole, from what its parts say of each other.
struct ClusterFindings {
    let status: ClusterStatus
    /// The members by the word of the cluster.
    let told: [PatroniStatus.Member]
    let isPaused: Bool
    let configuration: ClusterConfiguration

    var all: [Finding] { leadership + standby + members + etcd + balancers + address }

    private var leaders: [ClusterStatus.Member] {
        status.members.filter(\.isLeader)
    }

    private var streaming: [String] {
        status.members.filter { member in
            member.state == "streaming" && !leaders.contains { $0.name == member.name }
        }.map(\.name)
    }

    private var sickEtcd: [ClusterStatus.Etcd] { status.etcd.filter { !$0.isHealthy } }

    private var lacksQuorum: Bool { 2 * (status.etcd.count - sickEtcd.count) <= status.etcd.count }

    /// Whether nothing can be told of the members, for it is etcd that knows them. They may all be well.
    private var isBlind: Bool { told.isEmpty && lacksQuorum }

    private var leadership: [Finding] {
        var findings: [Finding] = []
        if isBlind {
            findings.append(
                Finding(
                    .etcdNoQuorum, .critical,
                    "etcd has no quorum: who leads cannot be told, and nobody could take over",
                    "bring etcd back"
                        + (configuration.patroni.failsafeMode
                            ? "; until then whoever led goes on, as long as it reaches all members" : "")))
        } else if leaders.count != 1 {
            findings.append(
                Finding(
                    .noLeader, .critical, "\(leaders.count) members lead the cluster, not one",
                    leaders.isEmpty
                        ? "look at the journals of patroni and etcd on the members; `patronictl failover` makes one lead"
                        : "stop Patroni on all of them but the one that clients write to"))
        } else if configuration.members.count > 1, streaming.isEmpty {
            findings.append(
                Finding(
                    .noStreamingReplica, .critical, "no replica streams: nobody could take over",
                    "bring the replicas back"))
        }
        if isPaused {
            findings.append(
                Finding(
                    .paused, .warning, "the cluster is paused: nobody would take over",
                    "end it with `patronictl -c /etc/patroni/config.yml resume`"))
        }
        if configuration.patroni.synchronous.isOn, status.follows == nil, !streaming.isEmpty,
            !told.contains(where: { $0.role == "sync_standby" })
        {
            findings.append(
                Finding(
                    .noSynchronousReplica, .warning,
                    "synchronous_mode is on, and no replica is written to synchronously",
                    "it chooses one by itself; if it does not, look at the journal of patroni on the leader"))
        }
        return findings
    }

    /// A cluster that follows another one does so by its leader.
    private var standby: [Finding] {
        guard let source = status.follows else { return [] }
        var findings = leaders.filter { $0.state == "running" }.map {
            Finding(
                .standbyNotReceiving, .warning,
                "\($0.name) receives nothing from \(source), which this cluster follows",
                "look at the other cluster, whether it lets \($0.name) in (postgresql_pg_hba), and at the journal of patroni on "
                    + $0.name)
        }
        if configuration.patroni.standby == nil {
            findings.append(
                Finding(
                    .standbyDeclaredIndependent, .note,
                    "the cluster follows \(source), and the inventory says that it is one of its own",
                    "`drover apply deploy-cluster` makes it one, for good"))
        }
        return findings
    }

    private var members: [Finding] {
        var findings: [Finding] = []
        for member in status.members {
            let leads = leaders.contains { $0.name == member.name }
            if member.state == "running", !leads {
                findings.append(
                    Finding(
                        .notStreaming, .warning, "\(member.name) runs, but does not stream",
                        "look at its journal of patroni; `patronictl -c /etc/patroni/config.yml reinit` clones it anew")
                )
            } else if !isBlind, !["running", "streaming"].contains(member.state) {
                let isOurs = configuration.members.contains { $0.name == member.name }
                findings.append(
                    Finding(
                        .memberNotRunning, .warning, "\(member.name) is \(member.state)",
                        isOurs
                            ? "bring it back: `drover apply deploy-cluster` starts what does not run"
                            : "the inventory does not name it: put it there, or take it out with remove-pgnode"))
            }
            // Who streams a later timeline has it from a leader that has not told of it yet: it does so at its next turn.
            if let timeline = member.timeline, let leading = leaders.first?.timeline,
                timeline < leading || (timeline > leading && member.state != "streaming")
            {
                findings.append(
                    Finding(
                        .timelineBehind, .warning,
                        "\(member.name) is on timeline \(timeline), the leader on \(leading)",
                        "if it does not follow within a minute, `patronictl -c /etc/patroni/config.yml reinit` clones it anew"
                    ))
            }
            let limit = configuration.patroni.maximumLagOnFailover
            if let lag = member.lag, lag > limit, !leads {
                findings.append(
                    Finding(
                        .lag, .warning,
                        "\(member.name) is \(lag / 1024) KiB behind: it may not take over with more than "
                            + "\(limit / 1024) KiB",
                        "look what keeps it busy, or at the network between it and the leader"))
            }
        }
        for member in status.members where ["streaming", "running"].contains(member.state) {
            guard let source = configuration.upstream(of: member.name), source != leaders.first?.name,
                source != member.name, !leaders.contains(where: { $0.name == member.name }),
                !streaming.contains(source)
            else { continue }
            findings.append(
                Finding(
                    .cascadeSourceMissing, .note,
                    "\(member.name) is to replicate from \(source), which does not stream: it follows the leader meanwhile",
                    "bring \(source) back, or take patroni_replicatefrom from \(member.name)"))
        }
        for member in told where member.pendingRestart == true {
            findings.append(
                Finding(
                    .pendingRestart, .note, "\(member.name) has changed parameters that wait for a restart",
                    "restart it when that suits: `patronictl -c /etc/patroni/config.yml restart \(status.cluster) \(member.name)`"
                ))
        }
        return findings
    }

    private var etcd: [Finding] {
        sickEtcd.map {
            Finding(
                .etcdUnhealthy, lacksQuorum ? .critical : .warning, "etcd on \($0.name) is not healthy",
                "look at its journal of etcd; without most of them the leader cannot be told")
        }
    }

    private var balancers: [Finding] {
        status.balancers.flatMap { balancer -> [Finding] in
            let look = "look at what it says of its servers, at port \(configuration.balancing.ports.statistics)"
            guard balancer.isServing else {
                return [
                    Finding(
                        .haproxySilent, .warning, "HAProxy on \(balancer.name) does not answer",
                        "`drover apply deploy-cluster` starts it")
                ]
            }
            var findings: [Finding] = []
            if !isBlind, balancer.leader != (status.follows == nil ? leaders.map(\.name) : []) {
                findings.append(
                    Finding(
                        .haproxyNoLeader, .critical, "HAProxy on \(balancer.name) does not lead to the leader", look))
            }
            let missing = streaming.filter {
                !balancer.replicas.contains($0) && configuration.leads(balancer.name, to: $0)
            }
            if !missing.isEmpty {
                findings.append(
                    Finding(
                        .haproxyMissingReplica, .warning,
                        "HAProxy on \(balancer.name) leads no readers to \(missing.joined(separator: ", ")), which streams",
                        look))
            }
            return findings
        }
    }

    private var address: [Finding] {
        guard let address = status.address else { return [] }
        let holders = status.holders
        if status.addressFollowsLeader { return leaderAddress(address) }
        if holders.count == 1 { return [] }
        return [
            Finding(
                .vipHolders, .critical, "\(holders.count) balancers hold \(address), not one",
                holders.isEmpty
                    ? "`drover apply deploy-cluster` starts keepalived; it holds the address where HAProxy serves"
                    : "let VRRP, IP protocol 112, pass between \(holders.joined(separator: " and "))")
        ]
    }

    /// It is at the leader, and nowhere else; for some seconds after another one leads it is nowhere.
    private func leaderAddress(_ address: String) -> [Finding] {
        let holders = status.holders
        guard let leader = leaders.first?.name, holders != (status.follows == nil ? [leader] : []) else { return [] }
        if holders.isEmpty {
            return [
                Finding(
                    .vipHolders, .critical, "nobody holds \(address): it is to be at \(leader), which leads",
                    "`drover apply deploy-cluster` starts keepalived; after a failover it takes some seconds")
            ]
        }
        return [
            Finding(
                .vipHolders, .critical, "\(holders.joined(separator: " and ")) hold \(address), and \(leader) leads",
                "look at keepalived on \(holders.filter { $0 != leader }.joined(separator: " and ")): its journal, and whether "
                    + "it runs")
        ]
    }
}
