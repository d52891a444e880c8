import Engine
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("The members by the word of the cluster")
struct MembershipTests {
    typealias Member = Membership.Member

    static func member(
        _ name: String, _ role: String = "replica", state: String = "running", timeline: Int? = 2, lag: Int? = 0,
        address: String? = "10.0.0.1"
    ) -> Member {
        Member(name: name, address: address, role: role, state: state, timeline: timeline, lag: lag)
    }

    @Test("are read from what Patroni says", arguments: [false, true])
    func reading(isPaused: Bool) throws {
        let body = isPaused ? Recorded.cluster.dropLast() + #", "pause": true}"# : Recorded.cluster[...]
        let told = try #require(
            HTTPResponse.Answer(status: 200, body: String(body)).patroni(PatroniStatus.Cluster.self))
        let membership = Membership(told)
        #expect(
            membership.members == [
                Self.member("pg1", lag: 1_048_576), Self.member("pg2", "leader", lag: nil, address: "10.0.0.2"),
                Self.member("pg3", "sync_standby", state: "stopped", timeline: nil, lag: nil, address: "10.9.0.3"),
            ])
        #expect(membership.isPaused == isPaused)
        #expect(membership.leader?.name == "pg2")
        #expect(membership.member(named: "pg3")?.isRunning == false)
        #expect(membership.members(except: ["pg1", "pg2", "pg4"]).map(\.name) == ["pg3"])
    }

    private static let rows: [(members: [Member], isPaused: Bool, troubles: [String])] = [
        ([member("a", "leader"), member("b")], false, []),
        ([member("a", "leader"), member("b", state: "streaming")], false, []),
        ([member("a", "leader"), member("new", state: "creating replica", timeline: nil)], false, []),
        ([], false, ["no member leads the cluster"]),
        ([member("a"), member("b")], false, ["no member leads the cluster"]),
        (
            [member("a", "leader"), member("b", state: "stopped"), member("c", timeline: 1)], true,
            [
                "the cluster is paused: end it with `patronictl resume`", "the member b is stopped",
                "the member c is on timeline 1, the leader on 2",
            ]
        ),
    ]

    @Test("what is wrong with them", arguments: rows)
    func troubles(members: [Member], isPaused: Bool, troubles: [String]) {
        #expect(Membership(members: members, isPaused: isPaused).troubles(without: "new") == troubles)
    }
}
