import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("A standby cluster")
struct StandbyClusterTests {
    private static func text(_ source: String, _ more: [String] = []) -> String {
        Sample.text(Sample.variables + ["patroni_standby_cluster: \(source)"] + more)
    }

    private static let standby = text("{ host: 10.1.0.100, port: 5433, primary_slot_name: far }")

    private static let impossible: [(source: String, more: [String], expected: String)] = [
        ("{ port: 5432 }", [], "the key 'host' of the cluster to follow is missing"),
        ("{ host: a b }", [], "'a b' is no host; write one address or name"),
        ("{ host: a, port: 0 }", [], "0 is no port; write 1 to 65535"),
        (
            "{ host: a, primary_slot_name: A }", [],
            "'A' cannot name a slot; use small letters, digits and '_', at most 63"
        ),
        (
            "{ host: 10.0.0.2 }", [],
            "the cluster cannot follow itself: 10.0.0.2 is its own; write the address of another cluster"
        ),
        (
            "{ host: 10.0.0.100 }", ["cluster_vip: 10.0.0.100"],
            "the cluster cannot follow itself: 10.0.0.100 is its own; write the address of another cluster"
        ),
        (
            "{ host: a }", ["pgbackrest_install: true", "pgbackrest_repo_shared: true"],
            "a cluster that follows another one archives nothing of its own, so it can have no backups; leave "
                + "pgbackrest_install out until patroni_standby_cluster is taken out; the other cluster has backups"
        ),
    ]

    @Test("is refused where it cannot be", arguments: impossible)
    func faults(source: String, more: [String], expected: String) throws {
        let error = try #require(throws: Diagnostics.self) { try Sample.configuration(Self.text(source, more)) }
        #expect(
            error.all.map { "\($0)".split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" } == [expected])
    }

    @Test("begins by following, and nothing is created on it but slots")
    func rendered() throws {
        let cluster = try Sample.cluster(
            Self.standby, state: .running(leader: "pg1", withDatabase: ["pg1", "pg2", "pg3"]))
        let file = try GoldenTests.content(
            of: "/etc/patroni/config.yml", in: cluster.patroni(on: cluster.configuration.members[0].host))
        #expect(
            file.contains(
                """
                    # The cluster follows this one until that is taken away.
                    standby_cluster:
                      host: 10.1.0.100
                      port: 5433
                      primary_slot_name: far
                      create_replica_methods:
                        - basebackup

                """))
        #expect(cluster.catalogue.map(\.name) == ["rights from the source cluster"])
        #expect(cluster.independence.isEmpty)
        #expect(try Sample.configuration(Self.text("{ host: '' }")).patroni.standby == nil)
    }

    private let api = PatroniAPI(address: "10.0.0.1", port: 8008)

    @Test(
        "ends when the inventory names nobody to follow",
        arguments: [
            (#"{"standby_cluster":{"host":"10.1.0.100","port":5433}}"#, ["follow 10.1.0.100:5433 no more"]),
            (#"{"standby_cluster":null}"#, []), (#"{"ttl":30}"#, []),
        ])
    func promotion(configuration: String, expected: [String]) throws {
        let resource = Independence(api: api)
        var facts = Facts()
        facts.record(.init(status: 200, body: configuration), to: api.question("/config"))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.map { $0.summary.split(separator: ":").dropLast().joined(separator: ":") } == expected)
        #expect(changes.allSatisfy { $0.script.reveal().contains(#"{"standby_cluster":null}"#) && $0.isDisturbing })
    }

    private func cluster(_ role: String?) throws -> Cluster {
        let members = role.map {
            [
                Membership.Member(
                    name: "pg1", address: "10.0.0.1", role: $0, state: "running", timeline: 1, lag: nil)
            ]
        }
        return try Sample.cluster(
            Self.standby, state: role == nil ? .new : .running(leader: "pg1", withDatabase: ["pg1"]),
            membership: Membership(members: members ?? []))
    }

    @Test("is made of nothing, or of one that follows already; never of one that is written to")
    func guarded() throws {
        try cluster(nil).refuseUnlessNewOrRunning()
        try cluster("standby_leader").refuseUnlessNewOrRunning()
        let refusal = #expect(throws: Refusal.self) { try cluster("leader").refuseUnlessNewOrRunning() }
        #expect(
            refusal?.reason
                == "the cluster 'demo' is one of its own, led by pg1: to follow 10.1.0.100:5433 it would have to give up its data"
        )
        #expect(throws: Refusal.self) { try cluster("standby_leader").refuseUnlessMayLead("pg2") }
    }
}
