import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Conversion of inventories of postgresql_cluster")
struct ConversionTests {
    private static func conversion(of release: String) throws -> InventoryConversion {
        let inventory = try ReleaseTests.inventory(of: release, all: false)
        return try InventoryConversion(of: inventory, resolved: inventory)
    }

    @Test("gives an inventory that makes the same cluster", arguments: ReleaseTests.releases)
    func same(release: String) throws {
        let text = try Self.conversion(of: release).text
        let directory = try TemporaryDirectory(["hosts.yml": text])
        let converted = try Inventory.load(file: "\(directory.path)/hosts.yml")
        let review = try VariableReview(of: converted)
        #expect(review.unsupported.isEmpty && review.faults.isEmpty, "\(review.faults)\n\(text)")
        let original = try ReleaseTests.inventory(of: release, all: false)
        let (old, new) = (try ClusterConfiguration(original), try ClusterConfiguration(converted))
        #expect(old.postgres.parameters == new.postgres.parameters)
        #expect(old.postgres.accessRules == new.postgres.accessRules)
        #expect(old.pooler.pools == new.pooler.pools && old.pooler.mode == new.pooler.mode)
        #expect(old.pooler.maxClientConnections == new.pooler.maxClientConnections)
        #expect(old.balancing.limits == new.balancing.limits && old.balancing.ports == new.balancing.ports)
        #expect(old.balancers.isEmpty && new.balancers.isEmpty)
        #expect(old.patroni.baseBackup == new.patroni.baseBackup)
        #expect(
            old.system.kernelParameters == new.system.kernelParameters && old.system.hostNames == new.system.hostNames)
        #expect(old.members.map(\.address) == new.members.map(\.address))
    }

    @Test("says where each value came from, and leaves out what asks for nothing")
    func text() throws {
        let text = try Self.conversion(of: "1.9.0").text
        #expect(text.contains("patroni_cluster_name: postgres-cluster  # "))
        #expect(text.contains("/1.9.0/main.yml:"))
        #expect(!text.contains("netdata") && !text.contains("consul_version"))
        #expect(!text.contains("postgresql_schemas"), "it is empty")
        #expect(!text.contains("wal_g_json") && !text.contains("pgbackrest_conf"), "they are not used")
        #expect(text.contains("      postgres_cluster:\n        - { name: vm.overcommit_memory, value: \"2\" }\n"))
    }

    @Test("reports what becomes of every variable", arguments: ReleaseTests.releases)
    func report(release: String) throws {
        let report = try Self.conversion(of: release).report
        #expect(!report.contains("UNKNOWN") && !report.contains("NOT SUPPORTED"), "\(report)")
        #expect(report.contains("netdata_install "))
    }
}
