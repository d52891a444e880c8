import FoundationEssentials
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

/// `Golden/variables.*.txt` have the names of variables alone: `variables.1.9.txt` those of postgresql_cluster from
/// before 1.9.0 until 2.0 (its inventory and `vars/{main,Debian,system,upgrade}.yml`), `variables.2.txt` those of
/// autobase 2 (its inventory, the defaults of the roles common, upgrade, update and cloud_resources, and what these ask
/// for besides).
@Suite("Variables of postgresql_cluster and autobase, by name")
struct RivalVariablesTests {
    private static let files = ["variables.1.9.txt", "variables.2.txt"]

    private static func names(in file: String) throws -> [String] {
        try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(file)")
            .split(whereSeparator: \.isWhitespace).map(String.init)
    }

    @Test("are understood, or not supported for a reason, each of them", arguments: files)
    func all(of file: String) throws {
        let names = try Self.names(in: file)
        #expect(names.count > 250)
        let directory = try TemporaryDirectory([
            "hosts.yml": "all:\n  children: {etcd_cluster: {hosts: {h: }}, master: {hosts: {h: }}}\n  vars:\n"
                + names.map { "    \($0): x\n" }.joined()
        ])
        let review = try VariableReview(of: Inventory.load(file: "\(directory.path)/hosts.yml"))
        let judged = Set((review.unsupported + review.agreeing).map(\.variable.name))
        let others = names.filter { !review.understood.contains($0) && !judged.contains($0) }
        #expect(others.isEmpty, "write them out in ForeignVariables.entries: \(others.joined(separator: " "))")
        #expect(judged.isDisjoint(with: review.understood))
    }

    @Test("are no others where they are written out among the reasons")
    func noInventions() throws {
        let shipped = try ReleaseTests.releases.flatMap { release in
            try ReleaseTests.inventory(of: release).declaredVariables.map(\.name)
        }
        let known = try Set(Self.files.flatMap(Self.names) + shipped)
        let written = ForeignVariables.entries.flatMap { $0.names.split(whereSeparator: \.isWhitespace) }
            .map(String.init).filter { !$0.contains("*") }
        #expect(written.filter { !known.contains($0) } == [])
        #expect(written.count == Set(written).count, "each has one reason")
    }

    @Test(
        "have the reason of their own kind, even where another family would take them",
        arguments: [
            ("pg_new_packages", "pg_old_version"), ("pgbackrest_stanza_upgrade", "pg_old_version"),
            ("pgbouncer_pool_pause", "pg_old_version"), ("patroni_config_file", "pg_old_version"),
            ("patroni_pip_package_file", "system_packages"), ("lua_src_file", "haproxy_version"),
            ("wal_g_package_file", "wal_g_version"), ("etcd_os_specific_packages", "etcd_version"),
            ("netdata_public_access", "server_type"), ("pgbouncer_client_tls_key_file", "tls_cert"),
        ])
    func kind(of name: String, like other: String) throws {
        let reason = try #require(ForeignVariables.entry(for: name)?.reason)
        #expect(reason == ForeignVariables.entry(for: other)?.reason)
    }

    @Test("are told from slips of the pen only when they are written out")
    func slips() {
        #expect(ForeignVariables.isKnown("pgbouncer_processes"))
        #expect(!ForeignVariables.isKnown("pgbouncer_proceses"))
        #expect(ForeignVariables.entry(for: "pgbouncer_proceses") != nil)
        #expect(ForeignVariables.entry(for: "frobnicate") == nil)
    }
}
