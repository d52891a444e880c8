import Drover
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("The first replicas")
struct FirstNewcomersTests {
    @Test(
        "clone a new cluster as soon as it is led; what it takes from elsewhere is awaited first",
        arguments: [
            (.unknown, [], ["pg2", "pg3"], []), (.new, [], ["pg2", "pg3"], []),
            (.new, ["patroni_standby_cluster: { host: 10.9.0.1 }"], [], ["pg2", "pg3"]),
            (.running(leader: "pg1", withDatabase: ["pg1", "pg2"]), [], [], ["pg3"]),
        ] as [(ClusterState, [String], [String], [String])])
    func who(state: ClusterState, variables: [String], first: [String], later: [String]) throws {
        let cluster = try Sample.cluster(Sample.text(Sample.variables + variables), state: state)
        #expect(cluster.firstNewcomers.map(\.name) == first)
        #expect(cluster.laterNewcomers.map(\.name) == later)
    }

    /// The resources of a replica, up to its service.
    private func beforePatroni(state: ClusterState) throws -> [any Resource] {
        let cluster = try Sample.cluster(state: state)
        let play = cluster.cloning(cluster.newcomers)
        return try Array(play.resources(on: play.hosts[0]).prefix { $0.name != "service patroni" })
    }

    @Test("Patroni is started there only when the leader leads: it would begin a cluster of its own")
    func order() throws {
        #expect(try beforePatroni(state: .new).map(\.name).last == "condition pg1 leads the new cluster")
        let running = ClusterState.running(leader: "pg1", withDatabase: ["pg1"])
        #expect(try !beforePatroni(state: running).contains { $0.name.hasPrefix("condition") })
    }

    /// What is done while nobody is known to lead.
    private func change(answer: Int) throws -> Change? {
        let resource = try #require(try beforePatroni(state: .new).last)
        var facts = Facts()
        facts.record(
            HTTPResponse.Answer(status: answer, body: ""), to: try #require(resource.questions.first as? HTTPResponse))
        return try resource.changes(given: facts, after: PendingEffects()).first
    }

    @Test("is waited for as long as the leader's Patroni answers that it does not lead yet")
    func leads() async throws {
        #expect(try change(answer: 200) == nil)
        let change = try #require(try change(answer: 503))
        let folder = try TemporaryDirectory()
        let run = try await ShellRun.of(
            """
            cd \(folder.path); : >asked
            sleep() { :; }
            date() { echo $(( $(wc -l <asked) * 10 )); }
            curl() { echo x >>asked; [ "$(wc -l <asked)" -ge 9 ] && echo 200 || echo 503; }
            \(change.script.reveal())
            """)
        #expect(run == .silent)
        #expect(try folder.text(of: "asked").linesOfText.count == 9)
    }

    @Test("is given up half a minute after the leader's Patroni was heard of last")
    func silence() async throws {
        let change = try #require(try change(answer: 0))
        let folder = try TemporaryDirectory()
        let run = try await ShellRun.of(
            """
            cd \(folder.path); : >asked
            sleep() { :; }
            date() { echo $(( $(wc -l <asked) * 10 )); }
            curl() { echo x >>asked; [ "$(wc -l <asked)" -le 5 ] && echo 503; }
            \(change.script.reveal())
            """)
        #expect(run.status == 1)
        #expect(run.output == "The Patroni of pg1 has not answered for 30 seconds.\n")
        #expect(try folder.text(of: "asked").linesOfText.count == 8)
    }
}
