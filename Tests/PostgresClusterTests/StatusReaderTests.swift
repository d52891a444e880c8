import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Status of the cluster")
struct StatusReaderTests {
    /// What the hosts answer when all is well, and pg2 leads.
    private struct Answers: Sendable {
        var members: [PatroniStatus.Member] = [
            member("pg1", "replica", lag: .bytes(0)), member("pg2", "leader"), member("pg3", "sync_standby"),
        ]
        var health = ["pg1": Recorded.etcdHealthy, "pg2": Recorded.etcdHealthy, "pg3": Recorded.etcdHealthy]
        var haproxy = ["pg1": Recorded.haproxy, "pg2": Recorded.haproxy]
        var addresses: [String: Set<String>] = ["pg1": ["10.0.0.1"], "pg2": ["10.0.0.2", "10.0.0.100"]]
        var streaming: Set = ["pg1", "pg2", "pg3"]
        var unreachable: [String] = []
        var isPaused = false
        var variables = ["cluster_vip: 10.0.0.100"]
        /// What only pg1 tells.
        var metrics = EtcdMetrics.Answer()
        var clock = ClockReading.Answer(least: 0, most: 0)
        var fitness = HostFitness.Answer()
        var settings: [String: String] = [:]
        /// Whom members replicate from, by the inventory.
        var upstreams: [String: String] = [:]
    }

    private static func member(
        _ name: String, _ role: String, state: String = "running", timeline: Int? = 2,
        lag: PatroniStatus.Member.Lag? = nil
    ) -> PatroniStatus.Member {
        .init(name: name, role: role, state: state, timeline: timeline, lag: lag)
    }

    private func status(_ answers: Answers) throws -> ClusterStatus {
        let configuration = try Sample.configuration(CascadeTests.text(answers.upstreams, answers.variables))
        var observed = Observations()
        for node in configuration.members {
            var facts = Facts()
            if let body = answers.health[node.name] {
                facts.record(
                    .init(status: 200, body: body), to: EtcdStatus.health(at: EtcdEndpoint(address: node.address)))
            }
            if let body = answers.haproxy[node.name] {
                facts.record(.init(status: 200, body: body), to: HAProxyView.question(statisticsPort: 7000))
            }
            facts.record(
                .init(isRunning: true, isStreaming: answers.streaming.contains(node.name)),
                to: PostgresCatalog(of: configuration, databases: []))
            if let addresses = answers.addresses[node.name] { facts.record(addresses, to: HostAddresses()) }
            facts.record(.init(least: 0, most: 0), to: ClockReading())
            observed[node.host] = facts
        }
        let node = configuration.members[0]
        observed[node.host].record(answers.metrics, to: EtcdMetrics(endpoint: EtcdEndpoint(address: node.address)))
        observed[node.host].record(answers.clock, to: ClockReading())
        observed[node.host].record(answers.fitness, to: StatusReader.fitness(of: configuration))
        observed[node.host].record(
            .init(isRunning: true, settings: answers.settings, connections: 7, hasPooler: true),
            to: MemberHealth(of: configuration))
        if answers.isPaused {
            let body = #"{"members": [{"name": "pg2", "role": "leader", "state": "running"}], "pause": true}"#
            observed[node.host].record(
                .init(status: 200, body: body),
                to: PatroniStatus.cluster(at: PatroniAPI(address: "10.0.0.1", port: 8008)))
        }
        return StatusReader(configuration: configuration)
            .status(given: observed, members: answers.members, unreachable: answers.unreachable)
    }

    private static let rows: [(what: String, change: @Sendable (inout Answers) -> Void, findings: [String])] = [
        ("all is well", { _ in }, []),
        (
            "no leader", { $0.members[1] = member("pg2", "replica") },
            [
                "critical: 0 members lead the cluster, not one", "critical: HAProxy on pg1 does not lead to the leader",
                "critical: HAProxy on pg2 does not lead to the leader",
                "warning: HAProxy on pg1 leads no readers to pg2, which streams",
                "warning: HAProxy on pg2 leads no readers to pg2, which streams",
            ]
        ),
        (
            "etcd without a quorum, while the leader goes on",
            {
                $0.members = []
                $0.health = ["pg3": Recorded.etcdHealthy]
            },
            [
                "critical: etcd has no quorum: who leads cannot be told, and nobody could take over",
                "critical: etcd on pg1 is not healthy", "critical: etcd on pg2 is not healthy",
            ]
        ),
        (
            "two leaders", { $0.members[0] = member("pg1", "leader") },
            [
                "critical: 2 members lead the cluster, not one", "critical: HAProxy on pg1 does not lead to the leader",
                "critical: HAProxy on pg2 does not lead to the leader",
            ]
        ),
        (
            "HAProxy has not noticed",
            { $0.members = [member("pg1", "leader"), member("pg2", "replica"), $0.members[2]] },
            [
                "critical: HAProxy on pg1 does not lead to the leader",
                "critical: HAProxy on pg2 does not lead to the leader",
                "warning: HAProxy on pg1 leads no readers to pg2, which streams",
                "warning: HAProxy on pg2 leads no readers to pg2, which streams",
            ]
        ),
        ("not streaming", { $0.streaming = ["pg1"] }, ["warning: pg3 runs, but does not stream"]),
        (
            "nobody streams", { $0.streaming = [] },
            [
                "critical: no replica streams: nobody could take over", "warning: pg1 runs, but does not stream",
                "warning: pg3 runs, but does not stream",
            ]
        ),
        ("stopped", { $0.members[2] = member("pg3", "replica", state: "stopped") }, ["warning: pg3 is stopped"]),
        ("unknown to the cluster", { $0.members.removeLast() }, ["warning: pg3 is unknown"]),
        ("streaming", { $0.members[0] = member("pg1", "replica", state: "streaming") }, []),
        (
            "on an old timeline", { $0.members[0] = member("pg1", "replica", timeline: 1) },
            ["warning: pg1 is on timeline 1, the leader on 2"]
        ),
        (
            "on an old timeline, of whom it streams",
            { $0.members[0] = member("pg1", "replica", state: "streaming", timeline: 1) },
            ["warning: pg1 is on timeline 1, the leader on 2"]
        ),
        (
            "on a timeline of its own",
            {
                $0.members[0] = member("pg1", "replica", timeline: 3)
                $0.streaming = ["pg3"]
            }, ["warning: pg1 runs, but does not stream", "warning: pg1 is on timeline 3, the leader on 2"]
        ),
        (
            "streaming a timeline of which the leader has not told yet",
            { $0.members[0] = member("pg1", "replica", state: "streaming", timeline: 3) }, []
        ),
        (
            "far behind", { $0.members[0] = member("pg1", "replica", lag: .bytes(2_097_152)) },
            ["warning: pg1 is 2048 KiB behind: it may not take over with more than 1024 KiB"]
        ),
        (
            "a restart is pending", { $0.members[0].pendingRestart = true },
            ["note: pg1 has changed parameters that wait for a restart"]
        ),
        (
            "a member that the inventory does not know",
            { $0.members.append(member("old", "replica", state: "stopped")) }, ["warning: old is stopped"]
        ),
        (
            "paused", { $0.isPaused = true }, ["warning: the cluster is paused: nobody would take over"]
        ),
        (
            "nobody is synchronous",
            {
                $0.variables.append("synchronous_mode: true")
                $0.members[2] = member("pg3", "replica")
            }, ["warning: synchronous_mode is on, and no replica is written to synchronously"]
        ),
        ("etcd is sick", { $0.health["pg1"] = Recorded.etcdSick }, ["warning: etcd on pg1 is not healthy"]),
        ("etcd is silent", { $0.health["pg3"] = nil }, ["warning: etcd on pg3 is not healthy"]),
        (
            "etcd has no quorum",
            {
                $0.health["pg1"] = nil
                $0.health["pg3"] = nil
            }, ["critical: etcd on pg1 is not healthy", "critical: etcd on pg3 is not healthy"]
        ),
        (
            "etcd is full, and restless",
            { $0.metrics = .init(size: 1_700_000_000, quota: 2_000_000_000, leaderChanges: 20, uptime: 7200) },
            [
                "warning: etcd on pg1 has 1621 MB of the 1907 MB that it may have",
                "warning: the leader of etcd has changed 20 times in 120 minutes, as pg1 has seen",
            ]
        ),
        ("HAProxy is silent", { $0.haproxy["pg1"] = nil }, ["warning: HAProxy on pg1 does not answer"]),
        (
            "nobody holds the address", { $0.addresses["pg2"] = ["10.0.0.2"] },
            ["critical: 0 balancers hold 10.0.0.100, not one"]
        ),
        (
            "two hold the address", { $0.addresses["pg1"]?.insert("10.0.0.100") },
            ["critical: 2 balancers hold 10.0.0.100, not one"]
        ),
        (
            "a host is down",
            {
                $0.unreachable = ["pg3: no route"]; $0.health["pg3"] = nil
            },
            ["critical: pg3: no route", "warning: etcd on pg3 is not healthy"]
        ),
        (
            "a wrong clock", { $0.clock = .init(least: 9, most: 11) },
            ["warning: the clock of pg1 is about 10.0 s ahead of that of pg3"]
        ),
        (
            "a full disk", { $0.fitness = .init(free: 4_000_000, size: 100_000_000) },
            ["critical: the disk of /var/lib/postgresql/15/main on pg1 is full to 95 %"]
        ),
        (
            "a disk that is nearly full", { $0.fitness = .init(free: 14_000_000, size: 100_000_000) },
            ["warning: the disk of /var/lib/postgresql/15/main on pg1 is full to 85 %"]
        ),
        (
            "no fsync", { $0.settings = ["fsync": "off"] },
            ["critical: fsync is off on pg1: a host that loses its power loses the database"]
        ),
    ]

    @Test("finds what is not as it should be", arguments: rows.indices)
    func findings(index: Int) throws {
        let row = Self.rows[index]
        var answers = Answers()
        row.change(&answers)
        #expect(try status(answers).findings.map { "\($0.severity): \($0.text)" } == row.findings, "\(row.what)")
    }

    @Test("tells of all parts")
    func parts() throws {
        let status = try status(Answers())
        #expect(status.members.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(status.members.map(\.lag) == [0, nil, nil])
        #expect(status.balancers.map(\.leader) == [["pg2"], ["pg2"]])
        #expect(status.balancers.map(\.replicas) == [["pg1", "pg3"], ["pg1", "pg3"]])
        #expect(status.balancers.map(\.holdsAddress) == [false, true])
        #expect(status.etcd.map(\.isHealthy) == [true, true, true])
        #expect(status.members.map(\.connections?.count) == [7, nil, nil])
        #expect(status.members.map(\.pooler?.isAnswering) == [true, nil, nil])
    }

    @Test("members stream from the leader, or from whom the inventory names, as long as that streams")
    func sources() throws {
        func sources(_ change: (inout Answers) -> Void) throws -> [String?] {
            var answers = Answers()
            change(&answers)
            return try status(answers).members.map(\.source)
        }
        #expect(try sources { _ in } == ["pg2", nil, "pg2"])
        #expect(try sources { $0.streaming = ["pg1"] } == ["pg2", nil, nil])
        #expect(try sources { $0.members[0] = Self.member("pg1", "leader") } == [nil, nil, nil])
        #expect(try sources { $0.members[1] = Self.member("pg2", "replica") } == [nil, nil, nil])
        #expect(try sources { $0.upstreams = ["pg3": "pg1"] } == ["pg2", nil, "pg1"])
        #expect(
            try sources {
                $0.upstreams = ["pg3": "pg1"]
                $0.streaming = ["pg3"]
            } == [nil, nil, "pg2"])
    }
}
