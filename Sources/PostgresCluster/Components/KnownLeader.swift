public import Engine
import SystemResources

extension Cluster {
    /// What shows that the cluster knows again who leads it.
    ///
    /// Without a quorum of etcd it does not, and nor does a run that begins then, while the leader goes on. What comes after
    /// etcd is decided by who leads, and by what the members share, which nobody can tell before either.
    ///
    /// - Returns: a play on no host where the leader is known, and where there is no cluster yet.
    public func findingLeader(_ strategy: Play.Strategy = .together) -> Play {
        let isLost = if case .running(leader: nil, _) = state { true } else { false }
        return Play("Find the leader", on: isLost ? [leader.host] : [], strategy, tags: ["patroni"]) { _ in knowsLeader
        }
    }

    private var knowsLeader: Condition {
        let api = api(leader)
        let question = PatroniStatus.cluster(at: api)
        return Condition(
            "the cluster knows who leads", signs: [question],
            test: "\(api.get("/cluster", "--max-time 5")) | grep -qE '\"role\": \"(standby_)?leader\"'",
            unit: "patroni.service", timeout: configuration.patroni.ttl + 60
        ) { facts in
            try facts[question].patroni(PatroniStatus.Cluster.self)?.members.contains(where: \.isLeader) ?? false
        }
    }
}
