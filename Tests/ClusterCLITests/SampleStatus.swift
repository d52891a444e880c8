@testable import PostgresCluster

/// States of the cluster `demo`: what `drover status` reports when all is well, and after faults.
enum SampleStatus {
    static let time = 1_795_600_800

    static func member(
        _ name: String, _ role: String?, _ state: String = "streaming", timeline: Int? = 3, lag: Int? = nil,
        source: String? = nil
    ) -> ClusterStatus.Member {
        .init(
            name: name, role: role, state: state, timeline: timeline, lag: lag, source: source,
            connections: state == "unknown" ? nil : .init(count: 12, limit: 100),
            pooler: state == "unknown" ? nil : .init(isAnswering: true))
    }

    static func balancer(
        _ name: String, leader: [String] = ["pg1"], replicas: [String] = ["pg2", "pg3"], holds: Bool = false,
        isServing: Bool = true
    ) -> ClusterStatus.Balancer {
        .init(name: name, isServing: isServing, leader: leader, replicas: replicas, holdsAddress: holds)
    }

    static func etcd(healthy: Set<String> = ["pg1", "pg2", "pg3"]) -> [ClusterStatus.Etcd] {
        ["pg1", "pg2", "pg3"].map { .init(name: $0, isHealthy: healthy.contains($0)) }
    }

    /// pg1 leads, pg2 and pg3 stream from it, the balancer on pg1 holds the VIP.
    static var healthy: ClusterStatus {
        ClusterStatus(
            cluster: "demo",
            members: [
                member("pg1", "leader", "running"), member("pg2", "sync_standby", lag: 0, source: "pg1"),
                member("pg3", "replica", lag: 4096, source: "pg1"),
            ], etcd: etcd(), address: "10.0.0.100",
            balancers: [balancer("pg1", holds: true), balancer("pg2"), balancer("pg3")], findings: [],
            holders: ["pg1"], time: time)
    }

    /// The leader is down, and nobody has replaced it yet.
    static var leaderDown: ClusterStatus {
        let lost = healthy
        return ClusterStatus(
            cluster: "demo",
            members: [
                member("pg1", nil, "unknown", timeline: nil), member("pg2", "replica", "running", lag: nil),
                member("pg3", "replica", "running", lag: nil),
            ], etcd: etcd(healthy: ["pg2", "pg3"]), address: lost.address,
            balancers: [
                balancer("pg1", leader: [], replicas: [], isServing: false), balancer("pg2", leader: [], holds: true),
                balancer("pg3", leader: []),
            ],
            findings: [
                Finding(.hostUnreachable, .critical, "pg1: timed out", "bring the host back, or the way to it"),
                Finding(.noLeader, .critical, "0 members lead the cluster, not one", "look at the journals of patroni"),
                Finding(.etcdUnhealthy, .warning, "etcd on pg1 is not healthy", "look at its journal of etcd"),
            ], holders: ["pg2"], time: time)
    }

    /// pg3 is behind, and pg2 has stopped.
    static var lagging: ClusterStatus {
        ClusterStatus(
            cluster: "demo",
            members: [
                member("pg1", "leader", "running"), member("pg2", "replica", "stopped", timeline: nil),
                member("pg3", "replica", lag: 73_400_320, source: "pg1"),
            ], etcd: etcd(), address: "10.0.0.100", balancers: [balancer("pg1", replicas: ["pg3"], holds: true)],
            findings: [
                Finding(.memberNotRunning, .warning, "pg2 is stopped", "bring it back"),
                Finding(.lag, .warning, "pg3 is 71680 KiB behind: it may not take over", "look what keeps it busy"),
            ], holders: ["pg1"], time: time)
    }

    /// etcd has lost its quorum, so nobody knows the members.
    static var noQuorum: ClusterStatus {
        ClusterStatus(
            cluster: "demo",
            members: ["pg1", "pg2", "pg3"].map { member($0, nil, "unknown", timeline: nil) },
            etcd: etcd(healthy: ["pg3"]), address: "10.0.0.100", balancers: [balancer("pg1", holds: true)],
            findings: [
                Finding(.etcdNoQuorum, .critical, "etcd has no quorum: who leads cannot be told", "bring etcd back")
            ],
            holders: ["pg1"], time: time)
    }
}
