import Diagnostics
import Engine
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Cascading replicas")
struct CascadeTests {
    /// The sample's three members, of which some name whom they replicate from.
    static func text(_ sources: [String: String], _ variables: [String] = []) -> String {
        var groups = Sample.groups
        for (member, source) in sources {
            groups = groups.replacing("\(member): {", with: "\(member): { patroni_replicatefrom: \(source),")
        }
        return Sample.text(Sample.variables + variables, groups: groups)
    }

    private static let impossible: [(sources: [String: String], variables: [String], expected: String)] = [
        (["pg2": "pg2"], [], "pg2 cannot replicate from itself; name another member, or take it out"),
        (
            ["pg2": "pg"], [],
            "patroni_replicatefrom of pg2 is 'pg', which is no member of the cluster; did you mean 'pg1'?"
        ),
        (
            ["pg3": "elsewhere"], [],
            "patroni_replicatefrom of pg3 is 'elsewhere', which is no member of the cluster; the members are pg1, pg2, pg3"
        ),
        (
            ["pg2": "pg3", "pg3": "pg2"], [],
            "these members would replicate from each other in a circle: pg2 from pg3 from pg2; take patroni_replicatefrom "
                + "from one of them: it then streams from the leader"
        ),
        (
            ["pg1": "pg2", "pg2": "pg3", "pg3": "pg1"], [],
            "these members would replicate from each other in a circle: pg1 from pg2 from pg3 from pg1; take "
                + "patroni_replicatefrom from one of them: it then streams from the leader"
        ),
        (
            ["pg3": "pg2"], ["synchronous_mode: true", "synchronous_node_count: 2"],
            "2 replicas cannot be synchronous; write 1 to 1: there are 1 that stream from the leader"
        ),
    ]

    @Test("are refused where they cannot be", arguments: impossible)
    func faults(sources: [String: String], variables: [String], expected: String) throws {
        let error = try #require(throws: Diagnostics.self) {
            try Sample.configuration(Self.text(sources, variables))
        }
        #expect(
            error.all.map { "\($0)".split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" } == [expected])
    }

    @Test("have their source in Patroni's file")
    func rendered() throws {
        let cluster = try self.cluster(leader: "pg1")
        let files = try cluster.configuration.members.map { node in
            try GoldenTests.content(of: "/etc/patroni/config.yml", in: cluster.patroni(on: node.host))
        }
        #expect(files.map { $0.hasSuffix("  replicatefrom: 'pg2'\n") } == [false, false, true])
    }

    private func cluster(leader: String) throws -> Cluster {
        try Sample.cluster(
            Self.text(["pg3": "pg2"]), state: .running(leader: leader, withDatabase: ["pg1", "pg2", "pg3"]))
    }

    @Test("keep their source from being removed")
    func removal() throws {
        let model = ClusterModel(
            configuration: try Sample.configuration(Self.text(["pg3": "pg2"])),
            templates: try ClusterTemplates(folder: Sample.folder("templates")))
        let refusal = #expect(throws: Refusal.self) { try model.requireRemovable(member: "pg2", leavesEtcd: false) }
        #expect(refusal?.reason == "pg3 replicate from pg2")
        try model.requireRemovable(member: "pg3", leavesEtcd: false)
    }
}
