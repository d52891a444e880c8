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
        let unsupported = Set(review.unsupported.map(\.variable.name))
        let others = names.filter { !review.understood.contains($0) && !unsupported.contains($0) }
        #expect(others.isEmpty, "write them out in ForeignVariables.reasons: \(others.joined(separator: " "))")
        #expect(unsupported.isDisjoint(with: review.understood))
    }

    @Test("are no others where they are written out among the reasons")
    func noInventions() throws {
        let known = try Set(Self.files.flatMap(Self.names))
        let written = ForeignVariables.reasons.flatMap { $0.names.split(whereSeparator: \.isWhitespace) }
            .map(String.init).filter { !$0.contains("*") }
        #expect(written.filter { !known.contains($0) } == [])
        #expect(written.count == Set(written).count, "each has one reason")
    }

    @Test(
        "have the reason of their own kind, even where another family would take them",
        arguments: [
            ("pg_new_packages", "pg_old_version"), ("pgbackrest_stanza_upgrade", "pg_old_version"),
            ("pgbouncer_pool_pause", "pg_old_version"), ("patroni_config_file", "pg_old_version"),
            ("patroni_pip_package_file", "system_packages"), ("lua_src_file", "system_packages"),
            ("wal_g_package_file", "wal_g_version"), ("etcd_os_specific_packages", "etcd_version"),
            ("enable_ssh_key_based_authentication", "sudo_users"), ("netdata_public_access", "cloud_provider"),
            ("postgresql_data_dir_mount_path", "cloud_provider"), ("node_exporter_package_repo", "netdata_install"),
            ("pgbackrest_restore_target_time", "disable_archive_command"),
            ("pgbackrest_full_backup_command", "pgbackrest_cron_jobs"),
            ("pgbouncer_client_tls_sslmode", "tls_cert"),
        ])
    func kind(of name: String, like other: String) throws {
        let reason = try #require(ForeignVariables.reason(for: name))
        #expect(reason == ForeignVariables.reason(for: other))
    }

    @Test("are told from slips of the pen only when they are written out")
    func slips() {
        #expect(ForeignVariables.isKnown("pgbouncer_default_pool_mode"))
        #expect(!ForeignVariables.isKnown("pgbouncer_default_pool_mod"))
        #expect(ForeignVariables.reason(for: "pgbouncer_default_pool_mod") != nil)
        #expect(ForeignVariables.reason(for: "frobnicate") == nil)
    }
}
