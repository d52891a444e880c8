import Testing

/// Backups of WAL-G of a cluster at work.
@Suite("Backups of WAL-G, by a stand-in", .lab(from: .walg))
struct WALGTests {
    private var lab: TestLab { TestLab.current }
    private var cluster: WALGCluster { WALGCluster(lab: lab) }

    @Test("timers and people make backups, and a new full one replaces them")
    func backups() async throws {
        let inventory = try cluster.inventory()
        try await lab.must(on: "pg1", "systemctl start wal-g-diff.service")
        let now = try await lab.drover("backup", "now", "-i", inventory)
        #expect(now.status == 0, "\(now.everything)")
        #expect(try await lab.backups(inventory).map(\.type) == ["full", "diff", "incr"])
        let full = try await lab.drover("backup", "now", "-i", inventory, "--type", "full")
        #expect(full.status == 0, "\(full.everything)")
        #expect(try await lab.backups(inventory).map(\.type) == ["full"], "one stays")
        let status = try await lab.drover("status", "-i", inventory)
        #expect(status.output.contains("\nhealthy  "), "\(status.everything)")
        #expect(status.output.contains("Nothing to complain about."), "\(status.everything)")
    }

    @Test("what WAL-G cannot do is refused: exit code 9")
    func refusals() async throws {
        let words = "takes backups of pgBackRest, and those of the cluster 'lab' are WAL-G's"
        for command in [
            ["backup", "verify"], ["backup", "restore", "--to", "/var/lib/postgresql/x", "--latest"],
            ["apply", "point-in-time-recovery", "--latest", "--yes"],
        ] {
            let refused = try await Command.run(lab.command(command + ["-i", try cluster.inventory()]))
            #expect(refused.status == 9, "\(refused.everything)")
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
    }

    @Test("a new cluster begins with the backups of one that is gone; its replica is made of its own")
    func beginning() async throws {
        let old = try cluster.inventory()
        // What is later than the backup comes from the WAL archive.
        let leader = try #require(try await lab.status(old).leader)
        try await lab.superuserSQL("CREATE TABLE notes AS SELECT 'late' AS text", on: leader)
        let identity = try await lab.confirmation()
        let removal = try await lab.drover(
            "apply", "remove-cluster", "-i", old, "--even-if-in-use", "--confirm", identity)
        try #require(removal.status == 0, "\(removal.everything)")
        #expect(try await lab.shell(on: "pg1", "ls /etc/systemd/system/wal-g-*").output == "")
        for (inventory, complaint) in [
            (
                old,
                "the archive at /srv/lab has backups of another cluster, of the database system "
                    + identity.dropFirst("lab@".count)
            ),
            (
                try cluster.copy("wal_g_restore_backup_name: base_0000000100000000000000FF"),
                "there is no backup base_0000000100000000000000FF: the newest is base_"
            ),
        ] {
            let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
            #expect(plan.status == 9, "\(plan.everything)")
            #expect(plan.errors.contains(complaint), "\(plan.errors)")
        }
        let result = try await lab.apply(try cluster.copy())
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("✓ pg1: make the first full backup"), "\(result.output)")
        #expect(try await lab.superuserSQL("SELECT text FROM notes") == "late")
        #expect(try await lab.confirmation() == identity)
        expectNothingChanged(try await lab.apply(try cluster.copy()))

        try await mirrorArchive()
        let inventory = try cluster.copy(replicas: ["pg2"])
        let grown = try await lab.apply(inventory)
        #expect(grown.status == 0, "\(grown.everything)")
        let journal = try await lab.must(on: "pg2", "journalctl --unit patroni --output cat --no-pager")
        #expect(journal.contains("replica has been created using wal_g"), "\(journal)")
        #expect(try await lab.superuserSQL("SELECT text, pg_is_in_recovery() FROM notes", on: "pg2") == "late|t")
        expectNothingChanged(try await lab.apply(inventory))
    }

    /// The hosts of a lab share no file system: the other one gets a copy of the folder, which it can read.
    private func mirrorArchive() async throws {
        let options = "-q -i \(lab.folder)/id_ed25519 -o UserKnownHostsFile=\(lab.folder)/known_hosts"
        let copy = try await Command.run(
            lab.inside("sh") + [
                "-c",
                """
                ssh -n \(options) root@10.70.0.11 tar -C /srv --mode=a+rX -c copy \
                    | ssh \(options) root@10.70.0.12 tar -C /srv -x --no-same-owner
                """,
            ])
        try #require(copy.status == 0, "\(copy.everything)")
    }
}
