import Foundation
import Testing

/// A cluster of one member whose backups outlive it, and another one of its name that begins with them. Both are deployed on
/// hosts that have the packages and nothing else.
@Suite("Deployment from a backup", .lab(of: 2, isPrepared: true))
struct BackupSourceTests {
    private var lab: TestLab { TestLab.current }

    /// One member, and a host for the repository.
    ///
    /// - Parameter variables: of the cluster, its name first.
    private func inventory(_ variables: String...) throws -> String {
        try lab.inventory(replacing: [
            ("    cluster_vip: 10.70.0.100\n", ""),
            (
                "      - { option: shared_buffers",
                """
                      - { option: logging_collector, value: 'on' }
                      - { option: log_directory, value: /pglog/15 }
                      - { option: shared_buffers
                """
            ),
            ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ("    balancers:\n      hosts: *hosts\n", ""),
            (
                "        pg2: { ansible_host: 10.70.0.12 }\n        pg3: { ansible_host: 10.70.0.13 }\n",
                "    pgbackrest:\n      hosts:\n        pg2: { ansible_host: 10.70.0.12 }\n"
            ),
            ("        replica:\n          hosts:\n            pg2:\n            pg3:\n", ""),
            (
                "    patroni_cluster_name: lab\n",
                (variables + [
                    // On a disk of its own, as many have it.
                    "postgresql_data_dir: /pgdata/15/main",
                    "pgbackrest_install: true", NoTimers.pgBackRest, "cluster_protected: false",
                    "pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: lab-passphrase }] }",
                ]).map { "    \($0)\n" }.joined()
            ),
        ])
    }

    private func copy(of stanza: String) throws -> String {
        try inventory(
            "patroni_cluster_name: lab", "patroni_cluster_bootstrap_method: pgbackrest",
            "pgbackrest_patroni_cluster_restore_command: /usr/bin/pgbackrest --stanza=\(stanza) --delta restore")
    }

    @Test("a new cluster begins with the backup of one that is gone; without such a backup nothing is touched")
    func beginning() async throws {
        let old = try inventory("patroni_cluster_name: lab")
        let first = try await lab.apply(old)
        try #require(first.status == 0, "\(first.everything)")
        // What is later than the backup comes from the WAL archive.
        try await lab.superuserSQL("CREATE TABLE notes AS SELECT 'late' AS text")
        let identity = try await lab.confirmation()
        let removal = try await lab.drover(
            "apply", "remove-cluster", "-i", old, "--even-if-in-use", "--confirm", identity)
        try #require(removal.status == 0, "\(removal.everything)")
        let aside = try await lab.must(on: "pg2", "ls /var/lib/pgbackrest/backup").trimmed
        #expect(removal.output.contains("pgbackrest --stanza=\(aside) restore"), "\(removal.everything)")

        for (stanza, complaint) in [
            ("nobody", "the repository has no stanza 'nobody'"),
            ("\(aside) --set=20200101-000000F", "there is no backup 20200101-000000F: the newest is "),
            (
                "\(aside) --type=time \"--target=2020-01-01 00:00:00Z\"",
                "no backup ends before the target: the oldest, "
            ),
        ] {
            let plan = try await lab.drover("plan", "deploy-cluster", "-i", try copy(of: stanza))
            #expect(plan.status == 9, "\(plan.everything)")
            #expect(plan.errors.contains(complaint), "\(plan.errors)")
        }
        let inventory = try copy(of: aside)
        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("✓ pg2: make the first full backup"), "\(result.output)")
        #expect(try await lab.superuserSQL("SELECT text FROM notes") == "late")
        #expect(try await lab.confirmation() == identity)
        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await lab.must(on: "pg2", "ls /var/lib/pgbackrest/backup") == "lab\n\(aside)\n")
    }
}
