import Testing

/// Recoveries of a cluster as one runs it in production: three members with balancers and an address, synchronous replication,
/// a tablespace that only PostgreSQL may write to, and a host for the backups. A client writes through the address all the
/// time, also while the cluster is recovered.
@Suite("Recovery of a whole cluster", .lab(from: .withBackups))
struct WholeRecoveryTests {
    private var lab: TestLab { TestLab.current }
    private var client: NumberedRows { NumberedRows(lab: lab, host: "pg4", address: "10.70.0.100") }
    private let members = ["pg1", "pg2", "pg3"]

    private func inventory() throws -> String {
        try lab.inventory(replacing: [
            ("    patroni_cluster_name: lab\n", "    patroni_cluster_name: lab\n    synchronous_mode: true\n")
        ])
    }

    /// Runs SQL through the address.
    private func read(_ statement: String, at host: String = "10.70.0.100", port: Int = 5000) async throws -> String {
        try await lab.must(
            on: "pg4",
            "PGPASSWORD=\(lab.password(of: "app")) psql -XAtq -h \(host) -p \(port) -U app -d app -c '\(statement)'"
        ).trimmed
    }

    private func recover(_ words: String...) async throws -> Command {
        try await Command.run(lab.command(["apply", "point-in-time-recovery", "-i", try inventory()] + words))
    }

    /// The numbers of the rows that there are.
    private func rows() async throws -> [Int] { try await read("SELECT n FROM rows ORDER BY n").numbers }

    private func acknowledged() async throws -> [Int] {
        try await lab.must(on: "pg4", "cat /root/rows.acknowledged").numbers
    }

    /// Makes the cluster synchronous, gives it a tablespace, and has the client write.
    ///
    /// - Returns: The leader.
    private func begin() async throws -> String {
        let change = try await lab.apply(try inventory())
        try #require(change.status == 0, "\(change.everything)")
        let leader = try #require(try await lab.status(try inventory()).leader)
        // In its parent PostgreSQL may not make directories.
        for member in members {
            try await lab.must(on: member, "install -d -o postgres -g postgres -m 0700 /srv/space")
        }
        try await lab.superuserSQL("CREATE TABLESPACE space LOCATION '/srv/space'", on: leader)
        try await lab.superuserSQL(
            """
            CREATE TABLE kept TABLESPACE space AS SELECT generate_series(1, 1000) AS n;
            ALTER TABLE kept OWNER TO app
            """, on: leader)
        try await client.begin()
        try await client.write(20)
        return leader
    }

    /// - Returns: A point just before it, and the numbers of the rows that were there.
    private func accident(on leader: String) async throws -> (moment: String, rows: [Int]) {
        let lines = try await lab.superuserSQL(
            """
            BEGIN; LOCK TABLE rows IN SHARE ROW EXCLUSIVE MODE; SELECT clock_timestamp();
            SELECT n FROM rows ORDER BY n; DELETE FROM rows; DELETE FROM kept WHERE n > 990; COMMIT;
            """, on: leader
        ).linesOfOutput
        try await client.write(5)
        return (lines[0], lines.dropFirst().compactMap { Int($0) })
    }

    @Test("a server that replays beside the cluster that its tablespace is made does not touch that of the cluster")
    func beside() async throws {
        let leader = try await begin()
        let (moment, _) = try await accident(on: leader)
        let replica = try #require(members.first { $0 != leader })
        let settled = """
            cd /; at=\(try await lab.superuserSQL("SELECT pg_current_wal_lsn()", on: leader))
            ask() { runuser -u postgres -- psql -XAtqc "$1"; }
            until [ "$(ask "SELECT pg_last_wal_replay_lsn() >= '$at'")" = t ]; do sleep 0.05; done
            ask CHECKPOINT
            """
        let digests = "cd /srv/space && find . -type f -exec sha256sum {} + | sort"
        let live = try await lab.must(on: replica, "\(settled)\n\(digests)")
        let directory = "/var/lib/postgresql/look"
        let result = try await lab.drover(
            "backup", "restore", "--to", directory, "--on", replica, "--target-time", moment, "-i", try inventory())
        try #require(result.status == 0, "\(result.everything)")
        #expect(try await lab.superuserSQL("SELECT count(*) FROM kept", on: replica, "-h \(directory)") == "1000")
        #expect(try await lab.must(on: replica, digests) == live)
    }

    @Test("a recovery replays that the tablespace is made, keeps the old one, and ends with a synchronous replica")
    func promoted() async throws {
        let leader = try await begin()
        let (moment, before) = try await accident(on: leader)
        let lost = try await acknowledged()
        let result = try await recover(
            "--target-time", moment, "--promote", "--wait", "--confirm", try await lab.confirmation(on: leader))
        try #require(result.status == 0, "\(result.everything)")
        #expect(
            result.output.contains("~ set aside /srv/space, /var/lib/postgresql/15/main as "), "\(result.everything)")
        try await client.write(5)
        let rows = try await rows()
        #expect(Array(rows.prefix(before.count)) == before)
        let written = rows.dropFirst(before.count)
        #expect(!written.isEmpty)
        #expect(Set(written).isDisjoint(with: lost))
        try await expectWholeCluster()
    }

    @Test("a recovery from a backup with the tablespace is given up, and no row that was acknowledged is lost")
    func givenUp() async throws {
        let leader = try await begin()
        let backup = try await lab.drover("backup", "now", "--type", "full", "-i", try inventory())
        try #require(backup.status == 0, "\(backup.everything)")
        let look = try await recover(
            "--latest", "--inspect", "SELECT 'kept: ' || count(*) FROM kept", "--inspect-in", "app", "--wait",
            "--confirm", try await lab.confirmation(on: leader))
        try #require(look.status == 0, "\(look.everything)")
        #expect(look.output.contains(" kept: 1000\n"), "\(look.everything)")
        let abort = try await recover("--abort", "--yes", "--wait")
        try #require(abort.status == 0, "\(abort.everything)")
        try await client.write(5)
        try await client.end()
        let rows = try await rows()
        #expect(Set(try await acknowledged()).isSubset(of: rows))
        try await expectWholeCluster()
    }

    private func expectWholeCluster() async throws {
        // Patroni chooses the synchronous replica at its next turn.
        try await lab.eventually("all is well again", inventory: try inventory()) { $0.findings.isEmpty }
        let status = try await lab.status(try inventory())
        #expect(Set(status.members.map(\.timeline)).count == 1)
        #expect(status.members.map(\.role).filter { $0 == "sync_standby" }.count == 1)
        #expect(status.balancers.filter(\.holdsAddress).count == 1)
        for member in members {
            #expect(try await lab.superuserSQL("SELECT count(*) FROM kept", on: member) == "1000")
            try await lab.must(
                on: member, "[ \"$(readlink /var/lib/postgresql/15/main/pg_tblspc/*)\" = /srv/space ]")
        }
        let pooler = "10.70.0.1\(try #require(status.leader).dropFirst(2))"
        for (host, port) in [("10.70.0.100", 5000), ("10.70.0.100", 5001), (pooler, 6432)] {
            #expect(try await read("SELECT count(*) FROM kept", at: host, port: port) == "1000")
        }
        expectNothingChanged(try await lab.apply(try inventory()))
    }
}

extension String {
    fileprivate var numbers: [Int] { linesOfOutput.compactMap { Int($0) } }
}
