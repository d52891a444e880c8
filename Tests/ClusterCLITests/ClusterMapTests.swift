import Testing

@testable import ClusterCLI
@testable import PostgresCluster

@Suite("Map of a cluster")
struct ClusterMapTests {
    private func sentences(_ status: ClusterStatus) -> [String] { ClusterMap(status).sentences }

    @Test("a healthy cluster")
    func healthy() {
        #expect(
            sentences(SampleStatus.healthy) == [
                "10.0.0.100: VIP, held by pg1.", "balancer pg1: writes to pg1, reads from pg2 pg3.",
                "balancer pg2: writes to pg1, reads from pg2 pg3.", "balancer pg3: writes to pg1, reads from pg2 pg3.",
                "pg1: leader, running, timeline 3.", "pg2: sync standby, streaming, timeline 3.",
                "pg3: replica, streaming, timeline 3.",
                "etcd: quorum, 3 of 3 healthy: pg1 healthy, pg2 healthy, pg3 healthy.",
                "10.0.0.100 routes to balancer pg1.", "balancer pg1 routes to pg1.", "balancer pg2 routes to pg1.",
                "balancer pg3 routes to pg1.", "pg1 replicates to pg2, lag 0 B.", "pg1 replicates to pg3, lag 4096 B.",
            ])
    }

    @Test("the leader is down: nobody leads, nobody streams, and its balancer routes nowhere")
    func leaderDown() {
        let map = ClusterMap(SampleStatus.leaderDown)
        #expect(map.path.first { $0.id == "leader" }?.title == "no leader")
        #expect(map.path.first { $0.id == "member pg1" }?.details == ["unknown"])
        #expect(map.path.filter { $0.look == .leader } == [])
        #expect(map.path.filter { $0.look == .bad }.map(\.id).contains("member pg2"))
        #expect(map.arrows == [.init(from: "vip", to: "balancer pg2", kind: .route)])
        #expect(sentences(SampleStatus.leaderDown).contains("balancer pg1: HAProxy is silent."))
        #expect(sentences(SampleStatus.leaderDown).contains("balancer pg2: writes to no member, reads from pg2 pg3."))
    }

    @Test("a replica lags, another one has stopped")
    func lagging() {
        let sentences = sentences(SampleStatus.lagging)
        #expect(sentences.contains("pg1 replicates to pg3, lag 70 MiB."))
        #expect(!sentences.contains { $0.contains("replicates to pg2") })
        #expect(sentences.contains("pg2: replica, stopped."))
        #expect(ClusterMap(SampleStatus.lagging).path.first { $0.id == "member pg2" }?.look == .bad)
    }

    @Test("without a quorum, nobody knows the leader")
    func noQuorum() {
        let map = ClusterMap(SampleStatus.noQuorum)
        #expect(map.path.first { $0.id == "leader" }?.title == "leader unknown")
        #expect(map.aside.first?.title == "etcd: no quorum, 1 of 3 healthy")
        #expect(map.aside.first?.look == .bad)
        #expect(!map.arrows.contains { $0.kind == .replication })
        // HAProxy still routes to the last leader, and the map says so.
        #expect(map.arrows.contains(.init(from: "balancer pg1", to: "member pg1", kind: .route)))
    }

    private func status(
        _ members: [ClusterStatus.Member], balancers: [ClusterStatus.Balancer] = [], holders: [String] = [],
        follows: String? = nil, addressFollowsLeader: Bool = false
    ) -> ClusterStatus {
        ClusterStatus(
            cluster: "demo", members: members, etcd: [], address: holders.isEmpty ? nil : "10.0.0.100",
            balancers: balancers, findings: [], follows: follows, holders: holders,
            addressFollowsLeader: addressFollowsLeader)
    }

    private func member(
        _ name: String, _ role: String?, _ state: String = "streaming", source: String? = nil
    ) -> ClusterStatus.Member {
        SampleStatus.member(name, role, state, source: source)
    }

    @Test("a cascading replica hangs below its source")
    func cascade() {
        let map = ClusterMap(
            status([
                member("pg3", "replica", source: "pg2"), member("pg2", "replica", source: "pg1"),
                member("pg1", "leader", "running"),
            ]))
        #expect(map.path.map(\.id) == ["member pg1", "member pg2", "member pg3"])
        #expect(map.path.map(\.depth) == [0, 1, 2])
        #expect(map.arrows.map(\.from) == ["member pg1", "member pg2"])
        #expect(map.arrows.map(\.label) == ["lag unknown", "lag unknown"])
    }

    @Test("two leaders are both shown, and replicas without a source have no arrow")
    func twoLeaders() {
        let map = ClusterMap(
            status([member("pg1", "leader", "running"), member("pg2", "leader", "running"), member("pg3", "replica")]))
        #expect(map.path.map(\.look) == [.leader, .leader, .plain])
        #expect(map.arrows.isEmpty)
    }

    @Test("a standby cluster has its source above, as long as it streams from that")
    func standby() {
        let streaming = ClusterMap(status([member("a", "standby_leader")], follows: "10.1.0.1:5432"))
        #expect(streaming.path.map(\.title) == ["10.1.0.1:5432", "a"])
        #expect(streaming.arrows == [.init(from: "source", to: "member a", kind: .replication)])
        #expect(streaming.sentences.contains("10.1.0.1:5432 replicates to a."))
        #expect(ClusterMap(status([member("a", "standby_leader", "running")], follows: "x")).arrows.isEmpty)
    }

    @Test("a VIP that follows the leader leads to members, and two holders are shown")
    func vip() {
        let members = [member("pg1", "leader", "running"), member("pg2", "replica", source: "pg1")]
        let right = ClusterMap(status(members, holders: ["pg1"], addressFollowsLeader: true))
        #expect(right.arrows.first == .init(from: "vip", to: "member pg1", kind: .route))
        let twice = ClusterMap(status(members, holders: ["pg1", "pg2"], addressFollowsLeader: true))
        #expect(twice.path[0].details == ["VIP, held by pg1 and pg2"] && twice.path[0].look == .bad)
        #expect(twice.arrows.filter { $0.from == "vip" }.map(\.to) == ["member pg1", "member pg2"])
    }

    @Test("a balancer that routes to the wrong member is drawn as it is")
    func wrongRoute() {
        let map = ClusterMap(
            status(
                [member("pg1", "leader", "running"), member("pg2", "replica", source: "pg1")],
                balancers: [SampleStatus.balancer("b", leader: ["pg2", "gone"])]))
        // An arrow to a backend that is no member would lead nowhere; the box names it.
        #expect(map.arrows.filter { $0.kind == .route } == [.init(from: "balancer b", to: "member pg2", kind: .route)])
        #expect(map.path[0].details == ["writes to pg2 gone", "reads from pg2 pg3"])
    }

    @Test("the repository of the backups")
    func repository() {
        var status = SampleStatus.healthy
        status.backups = BackupStatus(leader: nil, told: nil)
        #expect(ClusterMap(status).aside.last?.details == ["0 backups", "WAL archive not healthy"])
        #expect(ClusterMap(status).aside.last?.look == .bad)
    }
}
