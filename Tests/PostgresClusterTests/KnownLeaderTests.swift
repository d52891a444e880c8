import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Who leads")
struct KnownLeaderTests {
    private static let lost = ClusterState.running(leader: nil, withDatabase: ["pg2", "pg3"])

    @Test(
        "is waited for where a cluster has lost that, and nowhere else",
        arguments: [
            (lost, ["pg2"]), (.running(leader: "pg2", withDatabase: ["pg2", "pg3"]), []), (.new, []), (.unknown, []),
        ])
    func hosts(state: ClusterState, expected: [String]) throws {
        #expect(try Sample.cluster(state: state).findingLeader().hosts.map(\.name) == expected)
    }

    @Test(
        "is known when Patroni names somebody",
        arguments: [
            (0, "", 1), (503, "", 1), (200, #"{"members":[{"name":"pg2","role":"replica","state":"running"}]}"#, 1),
            (200, #"{"members":[{"name":"pg2","role":"leader","state":"running"}]}"#, 0),
            (200, #"{"members":[{"name":"pg2","role":"standby_leader","state":"running"}]}"#, 0),
        ])
    func sign(status: Int, body: String, changes: Int) throws {
        let play = try Sample.cluster(state: Self.lost).findingLeader()
        let resource = try #require(try play.resources(on: play.hosts[0]).first)
        let question = try #require(resource.questions.first as? HTTPResponse)
        var facts = Facts()
        facts.record(HTTPResponse.Answer(status: status, body: body), to: question)
        #expect(try resource.changes(given: facts, after: PendingEffects()).count == changes)
    }
}
