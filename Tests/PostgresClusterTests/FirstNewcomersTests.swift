import Engine
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

    @Test("a replica of a replica is cloned after it, for a clone has no WAL from before its backup")
    func cascade() throws {
        let text = CascadeTests.text(["pg2": "pg3"])
        let new = try Sample.cluster(text, state: .new)
        #expect(new.firstNewcomers.map(\.name) == ["pg3", "pg2"])
        let play = new.cloning(new.firstNewcomers, .free)
        let conditions = try play.hosts.map { host in
            try play.resources(on: host).prefix { $0.name != "service patroni" }.map(\.name)
                .filter { $0.hasPrefix("condition") }
        }
        let leads = "condition pg1 leads the new cluster"
        #expect(conditions == [[leads], [leads, "condition pg3 runs, from which pg2 streams"]])
        // These are cloned one after the other.
        let running = try Sample.cluster(text, state: .running(leader: "pg1", withDatabase: ["pg1"]))
        #expect(running.laterNewcomers.map(\.name) == ["pg3", "pg2"])
    }

    @Test(
        "waiting for the other one ends when it runs, and when it never will",
        arguments: [
            ([#"{"state": "creating replica"}503"#, #"{"state": "running"}200"#], 2, ""),
            (
                [#"{"state": "creating replica"}503"#, #"{"state": "start failed"}503"#], 2,
                "The Patroni of pg2 has failed, or has not answered for 30 seconds.\n"
            ),
            ([""], 4, "The Patroni of pg2 has failed, or has not answered for 30 seconds.\n"),
        ])
    func upstream(answers: [String], questions: Int, output: String) async throws {
        let cluster = try Sample.cluster(CascadeTests.text(["pg3": "pg2"]), state: .new)
        let condition = try #require(cluster.upstreamRuns(for: cluster.configuration.members[2]))
        var facts = Facts()
        let question = try #require(condition.questions.first as? HTTPResponse)
        facts.record(HTTPResponse.Answer(status: 503, body: ""), to: question)
        let change = try #require(try condition.changes(given: facts, after: PendingEffects()).first)
        facts.record(HTTPResponse.Answer(status: 200, body: ""), to: question)
        #expect(try condition.changes(given: facts, after: PendingEffects()).isEmpty)
        let folder = try TemporaryDirectory(["answers": answers.joined(separator: "\n") + "\n", "asked": ""])
        let run = try await ShellRun.of(
            """
            cd \(folder.path)
            sleep() { :; }
            date() { echo $(( $(wc -l <asked) * 10 )); }
            curl() { echo x >>asked; sed -n "$(wc -l <asked)p" answers | grep .; }
            \(change.script.reveal())
            """)
        #expect(run.output == output)
        #expect(try folder.text(of: "asked").linesOfText.count == questions)
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
