import Drover
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Status of the cluster")
struct StatusReaderTests {
    private static let text = Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"])

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
    }

    private static func member(
        _ name: String, _ role: String, state: String = "running", timeline: Int? = 2,
        lag: PatroniStatus.Member.Lag? = nil
    ) -> PatroniStatus.Member {
        .init(name: name, role: role, state: state, timeline: timeline, lag: lag)
    }

    private func status(_ answers: Answers) throws -> ClusterStatus {
        let configuration = try Sample.configuration(Self.text)
        var observed = Observations()
        for node in configuration.members {
            var facts = Facts()
            if let body = answers.health[node.name] {
                facts.record(.init(status: 200, body: body), to: EtcdStatus.health(at: node.address))
            }
            if let body = answers.haproxy[node.name] {
                facts.record(.init(status: 200, body: body), to: HAProxyView.question(statisticsPort: 7000))
            }
            facts.record(
                .init(isRunning: true, isStreaming: answers.streaming.contains(node.name)),
                to: PostgresCatalog(of: configuration, databases: []))
            if let addresses = answers.addresses[node.name] { facts.record(addresses, to: HostAddresses()) }
            observed[node.host] = facts
        }
        return StatusReader(configuration: configuration)
            .status(given: observed, members: answers.members, unreachable: answers.unreachable)
    }

    private static let rows: [(what: String, change: @Sendable (inout Answers) -> Void, findings: [String])] = [
        ("all is well", { _ in }, []),
        (
            "no leader", { $0.members[1] = member("pg2", "replica") },
            [
                "0 members lead the cluster, not one", "HAProxy on pg1 does not lead to the leader",
                "HAProxy on pg2 does not lead to the leader",
            ]
        ),
        (
            "two leaders", { $0.members[0] = member("pg1", "leader") },
            [
                "2 members lead the cluster, not one", "HAProxy on pg1 does not lead to the leader",
                "HAProxy on pg2 does not lead to the leader",
            ]
        ),
        (
            "HAProxy has not noticed",
            { $0.members = [member("pg1", "leader"), member("pg2", "replica"), $0.members[2]] },
            ["HAProxy on pg1 does not lead to the leader", "HAProxy on pg2 does not lead to the leader"]
        ),
        ("not streaming", { $0.streaming = ["pg1"] }, ["pg3 runs, but does not stream"]),
        ("stopped", { $0.members[2] = member("pg3", "replica", state: "stopped") }, ["pg3 is stopped"]),
        ("unknown to the cluster", { $0.members.removeLast() }, ["pg3 is unknown"]),
        ("streaming", { $0.members[0] = member("pg1", "replica", state: "streaming") }, []),
        (
            "on an old timeline", { $0.members[0] = member("pg1", "replica", timeline: 1) },
            ["pg1 is on timeline 1, the leader on 2"]
        ),
        (
            "a member that the inventory does not know",
            { $0.members.append(member("old", "replica", state: "stopped")) }, ["old is stopped"]
        ),
        ("etcd is sick", { $0.health["pg1"] = Recorded.etcdSick }, ["etcd on pg1 is not healthy"]),
        ("etcd is silent", { $0.health["pg3"] = nil }, ["etcd on pg3 is not healthy"]),
        ("HAProxy is silent", { $0.haproxy["pg1"] = nil }, ["HAProxy on pg1 does not answer"]),
        (
            "nobody holds the address", { $0.addresses["pg2"] = ["10.0.0.2"] },
            ["0 balancers hold 10.0.0.100, not one"]
        ),
        (
            "two hold the address", { $0.addresses["pg1"]?.insert("10.0.0.100") },
            ["2 balancers hold 10.0.0.100, not one"]
        ),
        (
            "a host is down",
            {
                $0.unreachable = ["pg3: no route"]; $0.health["pg3"] = nil
            },
            ["pg3: no route", "etcd on pg3 is not healthy"]
        ),
    ]

    @Test("finds what is not as it should be", arguments: rows.indices)
    func findings(index: Int) throws {
        let row = Self.rows[index]
        var answers = Answers()
        row.change(&answers)
        #expect(try status(answers).findings == row.findings, "\(row.what)")
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
    }
}
