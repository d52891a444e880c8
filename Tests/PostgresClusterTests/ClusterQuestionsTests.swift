import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Questions about the cluster")
struct ClusterQuestionsTests {
    /// What each member answers when the cluster runs and pg2 leads.
    private func observations(
        of configuration: ClusterConfiguration, without silent: Set<String> = [],
        directory: PostgresDirectory.Answer = .initialised(systemIdentifier: "7301234567890123456")
    ) -> Observations {
        let directories = PostgresDirectory(
            configuration.postgres.dataDirectory, binaryDirectory: configuration.postgres.binaryDirectory)
        var observed = Observations()
        for node in configuration.members {
            let answers = !silent.contains(node.name)
            func response(_ body: String) -> HTTPResponse.Answer {
                answers ? .init(status: 200, body: body) : .init(status: 0, body: "")
            }
            var facts = Facts()
            facts.record(directory, to: directories)
            facts.record(
                response(Recorded.leader), to: PatroniStatus.own(at: PatroniAPI(address: node.address, port: 8008)))
            facts.record(
                response(Recorded.cluster), to: PatroniStatus.cluster(at: PatroniAPI(address: node.address, port: 8008))
            )
            facts.record(
                response(Recorded.etcdKey),
                to: EtcdStatus.value(of: "/service/demo/initialize", at: EtcdEndpoint(address: node.address)))
            facts.record(response("{}"), to: EtcdStatus.members(at: EtcdEndpoint(address: node.address)))
            facts.record(.init(active: "active", unitFile: "enabled"), to: UnitStatus("haproxy.service"))
            facts.record(nil, to: KeepalivedPriority())
            facts.record(false, to: KeepalivedAuthentication())
            observed[node.host] = facts
        }
        return observed
    }

    /// A cluster in which all three members have a database.
    private static func running(_ leader: String?) -> ClusterState {
        .running(leader: leader, withDatabase: ["pg1", "pg2", "pg3"])
    }

    private static let rows: [(silent: Set<String>, state: ClusterState)] = [
        ([], running("pg2")), (["pg1"], running("pg2")), (["pg1", "pg2"], running("pg2")),
        (["pg1", "pg2", "pg3"], running(nil)),
    ]

    @Test("anybody who answers will do", arguments: rows)
    func state(silent: Set<String>, state: ClusterState) throws {
        let configuration = try Sample.configuration()
        let questions = ClusterQuestions(configuration: configuration)
        #expect(questions.state(given: observations(of: configuration, without: silent)) == state)
    }

    @Test("nothing is decided before every member was asked")
    func unknown() throws {
        let configuration = try Sample.configuration()
        var observed = observations(of: configuration, directory: .empty)
        observed[configuration.members[2].host] = Facts()
        #expect(ClusterQuestions(configuration: configuration).state(given: observed) == .unknown)
    }

    private static let positions: [(own: String, lag: Int?)] = [
        (#""xlog": {"received_location": 83886000, "replayed_location": 83000000}"#, 80),
        (#""xlog": {"received_location": null, "replayed_location": 83886070, "paused": false}"#, 10),
        (#""xlog": {"received_location": 83886090, "replayed_location": 83886090}"#, 0),
        (#""timeline": 2"#, 1_048_576), (#""xlog": {"location": 83886080}"#, 1_048_576),
    ]

    @Test("how far a member is behind is what it says itself; what the cluster says is older", arguments: positions)
    func lag(own: String, lag: Int?) throws {
        let configuration = try Sample.configuration()
        var observed = observations(of: configuration)
        let body =
            #"{"state": "running", "role": "replica", \#(own), "patroni": {"version": "3.0.2", "scope": "demo"}}"#
        observed[configuration.members[0].host].record(
            .init(status: 200, body: body), to: PatroniStatus.own(at: PatroniAPI(address: "10.0.0.1", port: 8008)))
        let membership = ClusterQuestions(configuration: configuration).membership(given: observed)
        #expect(membership.member(named: "pg1")?.lag == lag)
        #expect(membership.leader?.lag == nil)
    }

    @Test("everything that decides is asked", arguments: ["pg1", "pg2", "pg3"])
    func complete(name: String) throws {
        let configuration = try Sample.configuration()
        let host = try #require(configuration.hosts.first { $0.name == name })
        let asked = FactRequests(ClusterQuestions(configuration: configuration).questions(of: host))
        #expect(asked.unanswered(by: observations(of: configuration)[host]).isEmpty)
    }

    @Test("who leads is asked from the cluster; the inventory says only where a new one begins")
    func leader() throws {
        let running = try Sample.cluster(state: Self.running("pg2"))
        #expect(running.leader.name == "pg2")
        #expect(running.starters.isEmpty)
        #expect(running.followers.map(\.name) == ["pg1", "pg3", "pg2"], "the leader last")
        #expect(running.replicas.map(\.name) == ["pg1", "pg3"])
        for state in [.new, .unknown] as [ClusterState] {
            #expect(try Sample.cluster(state: state).starters.map(\.name) == ["pg1"])
        }
    }

    @Test("while nobody leads, those with a database are started first, and together")
    func leaderless() throws {
        let all = try Sample.cluster(state: Self.running(nil))
        #expect(all.starters.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(all.followers.isEmpty)
        for leader in [nil, "gone"] {
            let some = try Sample.cluster(state: .running(leader: leader, withDatabase: ["pg2", "pg3"]))
            #expect(some.starters.map(\.name) == ["pg2", "pg3"])
            #expect(some.followers.map(\.name) == ["pg1"])
        }
    }

    private static let refusals: [(state: ClusterState, reason: String?)] = [
        (.unknown, nil), (.new, nil), (running(nil), nil), (running("pg1"), nil),
        (.partial("half"), "the cluster 'demo' exists only in parts: half"),
        (.foreign("other"), "what was found is not the cluster 'demo': other"),
    ]

    @Test("only what can be made or continued is touched", arguments: refusals)
    func refuses(state: ClusterState, reason: String?) throws {
        let cluster = try Sample.cluster(state: state)
        guard let reason else {
            try cluster.refuseUnlessNewOrRunning()
            return
        }
        let refusal = try #require(throws: Refusal.self) { try cluster.refuseUnlessNewOrRunning() }
        #expect(refusal.reason == reason)
        #expect(refusal.description.hasPrefix("\(reason)\n  - "))
        #expect(refusal.remedies.allSatisfy { !$0.isEmpty })
    }
}
