import Engine
import Inventory
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("What HAProxy sees")
struct BalancerViewTests {
    /// A row of the table: 17 the status, 36 the last check.
    private static func row(_ listener: String, _ server: String, _ status: String, _ check: String) -> String {
        let blanks = [String](repeating: "", count: 15)
        return ([listener, server] + blanks + [status] + [String](repeating: "", count: 18) + [check])
            .joined(separator: ",")
    }

    @Test(
        "is a member that gets clients and was asked; what other listeners have not asked yet is no matter",
        arguments: [
            ("UP", "L7OK", "INI", true), ("UP 2/3", "L7STS", "L7OK", true), ("UP 1/3", "* INI", "L7OK", false),
            ("UP 1/3", "INI", "INI", false), ("DOWN 1/2", "L7OK", "L7OK", false),
        ])
    func member(status: String, check: String, elsewhere: String, isSeen: Bool) throws {
        let directory = try TemporaryDirectory(["hosts.yml": Sample.text()])
        let model = try ClusterModel(
            Inventory.load(file: directory.path + "/hosts.yml", extraVariables: ["tls_enable=false"]))
        let cluster = Cluster(model, given: Observations())
        let node = try #require(model.configuration.members.first)
        let table = [
            Self.row("leader", node.name, status, check), Self.row("leader", "other", "UP 1/3", "INI"),
            Self.row("replicas_sync", node.name, "UP 1/3", elsewhere),
        ].joined(separator: "\n")
        var facts = Facts()
        facts.record(.init(status: 200, body: table), to: HAProxyView.question(statisticsPort: 7000))
        #expect(try cluster.sees(node).changes(given: facts, after: PendingEffects()).isEmpty == isSeen)
    }
}
