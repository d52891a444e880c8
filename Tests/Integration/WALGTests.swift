import Foundation
import Testing

/// The life of a cluster of one member whose backups WAL-G makes, and of another one that begins with them.
///
/// WAL-G itself is not among Debian's packages: `Support/wal-g-stand-in` takes its place, on a folder of the member.
@Suite("backups of WAL-G, by a stand-in", .serialized, .lab(of: 2))
struct WALGTests {
    private var lab: TestLab { TestLab.current }

    private static let program = URL(filePath: #filePath).deletingLastPathComponent().path + "/Support/wal-g-stand-in"
    private static let key = "lab-walg-libsodium"

    /// - Parameters:
    ///   - archive: the name of the cluster, and of the folder of its backups.
    ///   - replicas: beside pg1, each with a folder of its own, which a test makes look like a shared one.
    private func inventory(_ archive: String, _ variables: [String] = [], replicas: [String] = []) throws -> String {
        try lab.inventory(
            named: archive,
            with: [
                "wal_g_install: true", "wal_g_file: \(Self.program)", "wal_g_repo_shared: true",
                "wal_g_json: { WALG_FILE_PREFIX: /srv/\(archive), WALG_LIBSODIUM_KEY: \(Self.key) }",
                "wal_g_retention_full: 1", "cluster_protected: false",
            ] + variables,
            replacing: [
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
                ("patroni_cluster_name: lab\n", "patroni_cluster_name: \(archive)\n"),
            ],
            groups: [("etcd_cluster", ["pg1"]), ("master", ["pg1"]), ("replica", replicas)])
    }

    private func copy(_ variables: String..., replicas: [String] = []) throws -> String {
        try inventory(
            "copy",
            ["patroni_cluster_bootstrap_method: wal-g", "wal_g_source_json: { WALG_FILE_PREFIX: /srv/lab }"]
                + variables, replicas: replicas)
    }

    private func sql(_ statement: String, on host: String = "pg1") async throws -> String {
        try await lab.must(
            on: host, "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 -c \"\(statement)\"")
    }

    private struct List: Decodable {
        struct Backup: Decodable {
            let label: String
            let type: String
        }

        let backups: [Backup]
    }

    private func backups(_ inventory: String) async throws -> [List.Backup] {
        let list = try await lab.drover("backup", "list", "-i", inventory, "--json")
        try #require(list.status == 0, "\(list.everything)")
        return try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).backups
    }

    @Test("a cluster is set up with a first backup; timers and people make more; what WAL-G cannot do is refused")
    func life() async throws {
        let inventory = try inventory("lab")
        let (result, found) = try await SecretWatch.watching(for: [Self.key]) { try await lab.apply(inventory) }
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        #expect(!result.everything.contains(Self.key))
        #expect(result.output.contains("✓ pg1: make the first full backup"), "\(result.output)")
        #expect(
            try await lab.must(on: "pg1", "stat -c '%U %a' /var/lib/postgresql/.walg.json /usr/local/bin/wal-g")
                == "postgres 600\nroot 755\n")
        expectNothingChanged(try await lab.apply(inventory))

        try await lab.must(on: "pg1", "systemctl start wal-g-diff.service")
        let now = try await lab.drover("backup", "now", "-i", inventory)
        #expect(now.status == 0, "\(now.everything)")
        #expect(try await backups(inventory).map(\.type) == ["full", "diff", "incr"])
        let full = try await lab.drover("backup", "now", "-i", inventory, "--type", "full")
        #expect(full.status == 0, "\(full.everything)")
        #expect(try await backups(inventory).map(\.type) == ["full"], "one stays")
        let status = try await lab.drover("status", "-i", inventory)
        #expect(status.output.contains("\nhealthy  "), "\(status.everything)")
        #expect(status.output.contains("Nothing to complain about."), "\(status.everything)")

        let words = "takes backups of pgBackRest, and those of the cluster 'lab' are WAL-G's"
        for command in [
            ["backup", "verify"], ["backup", "restore", "--to", "/var/lib/postgresql/x", "--latest"],
            ["apply", "point-in-time-recovery", "--latest", "--yes"],
        ] {
            let refused = try await Command.run(lab.command(command + ["-i", inventory]))
            #expect(refused.status == 9, "\(refused.everything)")
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
    }

    @Test("a new cluster begins with the backups of one that is gone; its replica is made of its own")
    func beginning() async throws {
        let old = try inventory("lab")
        // What is later than the backup comes from the archive.
        _ = try await sql("CREATE TABLE notes AS SELECT 'late' AS text")
        let system = try await sql("SELECT system_identifier FROM pg_control_system()").prefix { $0.isNumber }
        let removal = try await lab.drover(
            "apply", "remove-cluster", "-i", old, "--even-if-in-use", "--confirm", "lab@\(system)")
        try #require(removal.status == 0, "\(removal.everything)")
        #expect(try await lab.shell(on: "pg1", "ls /etc/systemd/system/wal-g-*").output == "")
        for (inventory, complaint) in [
            (old, "the archive at /srv/lab has backups of another cluster, of the database system \(system)"),
            (
                try copy("wal_g_restore_backup_name: base_0000000100000000000000FF"),
                "there is no backup base_0000000100000000000000FF: the newest is base_"
            ),
        ] {
            let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
            #expect(plan.status == 9, "\(plan.everything)")
            #expect(plan.errors.contains(complaint), "\(plan.errors)")
        }
        let result = try await lab.apply(try copy())
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("✓ pg1: make the first full backup"), "\(result.output)")
        #expect(try await sql("SELECT text FROM notes") == "late\n")
        #expect(try await sql("SELECT system_identifier FROM pg_control_system()").hasPrefix(system))
        expectNothingChanged(try await lab.apply(try copy()))

        try await mirrorArchive()
        let inventory = try copy(replicas: ["pg2"])
        let grown = try await lab.apply(inventory)
        #expect(grown.status == 0, "\(grown.everything)")
        let journal = try await lab.must(on: "pg2", "journalctl --unit patroni --output cat --no-pager")
        #expect(journal.contains("replica has been created using wal_g"), "\(journal)")
        #expect(try await sql("SELECT text, pg_is_in_recovery() FROM notes", on: "pg2") == "late|t\n")
        expectNothingChanged(try await lab.apply(inventory))
    }

    /// The hosts of a lab share no file system: the other one gets a copy of the folder, which it can read.
    private func mirrorArchive() async throws {
        let way = "-n -q -i \(lab.folder)/id_ed25519 -o UserKnownHostsFile=\(lab.folder)/known_hosts"
        let copy = try await Command.run(
            lab.inside("sh") + [
                "-c",
                """
                ssh \(way) root@10.70.0.11 tar -C /srv --mode=a+rX -c copy \
                    | ssh \(way.dropFirst(3)) root@10.70.0.12 tar -C /srv -x --no-same-owner
                """,
            ])
        try #require(copy.status == 0, "\(copy.everything)")
    }
}
