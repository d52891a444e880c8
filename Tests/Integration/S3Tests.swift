import Testing

/// Backups in S3 of a cluster at work.
@Suite("Backups in S3", .lab(from: .s3))
struct S3Tests {
    private var lab: TestLab { TestLab.current }
    private var cluster: S3Cluster { S3Cluster(lab: lab) }

    /// Makes the table `notes` with two rows.
    ///
    /// - Returns: The leader.
    private func makeNotes() async throws -> String {
        let leader = try #require(try await lab.status(try cluster.inventory()).leader)
        try await lab.superuserSQL("CREATE TABLE notes AS SELECT unnest('{one,two}'::text[]) AS text", on: leader)
        return leader
    }

    @Test("backups are made, and restored beside the cluster")
    func backups() async throws {
        let inventory = try cluster.inventory()
        let replica = try await lab.status(inventory).leader == "pg1" ? "pg2" : "pg1"
        let now = try await lab.drover("backup", "now", "--type", "diff", "-i", inventory)
        #expect(now.status == 0, "\(now.everything)")
        let backups = try await lab.backups(inventory)
        #expect(backups.map(\.type) == ["full", "diff"])
        let newest = try #require(backups.last).label
        let trial = try await lab.drover("backup", "verify", "-i", inventory)
        #expect(trial.status == 0, "\(trial.everything)")
        #expect(
            trial.output.contains("✓ \(replica): restore the backup \(newest), start it, check it, and remove it  "))
        for result in [now, trial] { cluster.expectNoSecret(in: result) }
    }

    @Test("a replica that lost its data gets it back from the backup")
    func replica() async throws {
        let replica = try await makeNotes() == "pg1" ? "pg2" : "pg1"
        try await lab.must(on: replica, "systemctl stop patroni; rm -rf /var/lib/postgresql/15/main")
        let mended = try await lab.apply(try cluster.inventory())
        #expect(mended.status == 0, "\(mended.everything)")
        try await lab.must(on: replica, "journalctl -u patroni | grep -q 'replica has been created using pgbackrest'")
        #expect(
            try await lab.superuserSQL("SELECT count(*), pg_is_in_recovery() FROM notes", on: replica) == "2|t")
    }

    @Test("a key that the store does not know reaches no member, and archiving goes on")
    func otherKey() async throws {
        let result = try await lab.apply(try cluster.inventory(key: "stranger"))
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("InvalidAccessKeyId"), "\(result.errors)")
        expectNothingChanged(try await lab.apply(try cluster.inventory()))
    }

    @Test("the cluster goes back to a restore point with exactly the rows that there were")
    func pointInTime() async throws {
        let inventory = try cluster.inventory()
        let leader = try await makeNotes()
        try await lab.superuserSQL("SELECT pg_create_restore_point('before')", on: leader)
        try await lab.superuserSQL(
            "INSERT INTO notes VALUES ('three'); DELETE FROM notes WHERE text = 'one'", on: leader)
        let result = try await lab.drover(
            "apply", "point-in-time-recovery", "-i", inventory, "--target-name", "before", "--promote", "--confirm",
            try await lab.confirmation(on: leader))
        try #require(result.status == 0, "\(result.everything)")
        cluster.expectNoSecret(in: result)
        for host in ["pg1", "pg2"] {
            #expect(try await lab.superuserSQL("SELECT text FROM notes ORDER BY 1", on: host) == "one\ntwo", "\(host)")
        }
        #expect(try await lab.backups(inventory).map(\.type) == ["full", "full"])
        let status = try await lab.status(inventory)
        #expect(Set(status.members.map(\.timeline)).count == 1)
        #expect(status.findings.isEmpty, "\(status.findings)")
        expectNothingChanged(try await lab.apply(inventory))
    }

    @Test("backups outlive their cluster, and keep another one from their name; told so, they go, and nothing is left")
    func removal() async throws {
        let inventory = try cluster.inventory()
        let identity = try await lab.confirmation()
        let system = identity.dropFirst("lab@".count)
        func remove(_ options: String...) async throws -> Command {
            try await Command.run(
                lab.command(["apply", "remove-cluster", "-i", inventory, "--even-if-in-use"] + options))
        }
        let gone = try await remove("--confirm", identity)
        try #require(gone.status == 0, "\(gone.everything)")
        #expect(
            gone.output.contains("stay under this name, for a store renames nothing, so a new cluster of this name "),
            "\(gone.output)")
        let inTheWay = try await lab.apply(inventory)
        #expect(inTheWay.status == 9, "\(inTheWay.everything)")
        #expect(
            inTheWay.errors.contains(
                "has backups of another cluster under the name 'lab', of the database system \(system): there is no database "
            ), "\(inTheWay.errors)")
        for remedy in ["choose another name: pgbackrest_stanza", "apply remove-cluster --with-backups to "] {
            #expect(inTheWay.errors.contains(remedy), "\(inTheWay.errors)")
        }

        // The words for the cluster are none for its backups.
        let unconfirmed = try await remove("--with-backups", "--confirm", identity)
        #expect(unconfirmed.status == 9, "\(unconfirmed.everything)")
        #expect(try await cluster.store.contents().contains("/backup.info</Key>"))
        let deleted = try await remove("--with-backups", "--confirm", "lab+backups@\(system)")
        #expect(deleted.status == 0, "\(deleted.everything)")
        #expect(deleted.output.contains("✓ pg1: delete the archive and 1 backup of lab for ever"), "\(deleted.output)")
        #expect(!(try await cluster.store.contents().contains("<Key>")))
        expectNothingChanged(try await remove("--with-backups", "--confirm", "lab+backups@\(system)"))
        for result in [gone, inTheWay, deleted] { cluster.expectNoSecret(in: result) }
        let anew = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(anew.status == 0, "\(anew.everything)")
    }
}
