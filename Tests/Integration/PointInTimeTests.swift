import Foundation
import Subprocess
import Testing

/// The life of a cluster of two members, whose backups a third host keeps, that goes back in time again and again while a
/// client writes a row every 50 ms.
@Suite("point in time", .serialized, .lab(of: 3, isPrepared: true))
struct PointInTimeTests {
    var lab: TestLab { TestLab.current }

    @Test("back to moments of all kinds, once stopped in the middle, once given up, and always with exactly their rows")
    func life() async throws {
        // A small disk for the data, which a test can fill.
        try await lab.must(
            on: "pg1",
            """
            cp -a /var/lib/postgresql /root/data
            mount -t tmpfs -o mode=755,size=2g data /var/lib/postgresql
            cp -a /root/data/. /var/lib/postgresql
            """)
        let deployment = try await lab.apply(try inventory())
        try #require(deployment.status == 0, "\(deployment.everything)")
        let moments = try await accident()
        try await refusals()
        try await beside(moments)
        try await first(moments)
        let (later, laterRows) = try await laterMoment()
        try await earlier(moments)
        try await after(later, laterRows)
    }

    private func accident() async throws -> Moments {
        var moments = Moments()
        _ = try await sql(
            """
            CREATE TABLE ledger (id serial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
            ALTER TABLE ledger OWNER TO app;
            """)
        try await beginWriting()
        try await write(10)
        moments.amidst = try await sql("SELECT clock_timestamp()")
        try await write(10)
        moments.amidstRows = try await sql(
            "\(Self.rows) WHERE pg_xact_commit_timestamp(xmin) <= '\(moments.amidst)'")
        try await endWriting()
        moments.quietRows = try await sql(Self.rows)
        moments.transaction = try await sql("SELECT xmin FROM ledger ORDER BY id DESC LIMIT 1")
        moments.position = try await sql("SELECT pg_current_wal_lsn() FROM pg_create_restore_point('quiet')")
        try await beginWriting()
        try await write(10)
        let told = try await sql(
            """
            BEGIN; LOCK TABLE ledger IN SHARE ROW EXCLUSIVE MODE; SELECT clock_timestamp();
            \(Self.rows); DELETE FROM ledger; COMMIT;
            """
        ).linesOfOutput
        try #require(told.count == 2)
        (moments.before, moments.beforeRows) = (told[0], told[1])
        try await write(5)
        #expect(moments.amidstRows.count > 20)
        #expect(moments.quietRows.hasPrefix(moments.amidstRows))
        return moments
    }

    private func refusals() async throws {
        let starts = """
            systemctl show -p ExecMainStartTimestampMonotonic patroni pgbouncer; sed -n 3p /var/lib/postgresql/15/main/postmaster.pid
            """
        let before = try await lab.must(on: "pg1", starts)
        let identity = try await words()
        func expect(_ reason: String, _ words: [String], confirm: String? = nil) async throws {
            let result = try await Command.run(
                try command("apply", words + ["--promote", "--confirm", confirm ?? identity]))
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.everything.contains(reason), "\(result.everything)")
        }
        try await expect("does not say in which zone", ["--target-time", "2026-11-22 15:04:05"])
        try await expect("is earlier than what the archive holds", ["--target-time", "2020-01-01 00:00:00Z"])
        try await expect("is later than the end of the archive", ["--target-time", "2100-01-01 00:00:00Z"])
        try await expect("is behind the end of the log", ["--target-lsn", "FF/0"])
        try await expect("'nobody' stands nowhere in the log", ["--target-name", "nobody"])
        try await expect("the transaction 4000000000 stands nowhere", ["--target-xid", "4000000000"])
        try await expect("there is no timeline 7", ["--latest", "--target-timeline", "7"])
        try await expect("is not what the plan destroys", ["--latest"], confirm: "other@1")
        let keys = "/home/keeper/.ssh/authorized_keys"
        try await lab.must(on: "pg3", "mv \(keys) \(keys).away")
        try await expect("the repository of 'lab' does not answer pg1", ["--latest"])
        try await lab.must(on: "pg3", "mv \(keys).away \(keys)")
        let directory = "/var/lib/postgresql/15/main"
        try await lab.must(on: "pg1", "mount --bind \(directory) \(directory)")
        try await expect("\(directory) is a mount point on pg1", ["--latest"])
        try await lab.must(
            on: "pg1",
            "umount \(directory); fallocate -l $(( $(df -k --output=avail /var/lib/postgresql | tail -1) - 10240 ))K /var/lib/postgresql/filler"
        )
        try await expect("and the database with a tenth more takes", ["--latest"])
        try await lab.must(on: "pg1", "rm /var/lib/postgresql/filler")
        #expect(try await lab.must(on: "pg1", starts) == before)
    }

    /// Beside the cluster, which goes on.
    private func beside(_ moments: Moments) async throws {
        try await expect([
            (["--target-xid", moments.transaction], moments.quietRows),
            (["--target-name", "quiet"], moments.quietRows),
            (
                ["--target-xid", moments.transaction, "--exclusive"],
                moments.quietRows.split(separator: " ").dropLast().joined(separator: " ")
            ),
        ])
        let status = try await lab.status(try inventory())
        #expect(status.findings.isEmpty, "\(status.findings)")
    }

    private func expect(_ looks: [(words: [String], rows: String)]) async throws {
        for (words, rows) in looks {
            let directory = "/var/lib/postgresql/look"
            let result = try await Command.run(
                lab.inside(Drover.program) + ["backup", "restore", "--to", directory, "-i", try inventory()] + words)
            try #require(result.status == 0, "\(result.everything)")
            #expect(try await sql(Self.rows, on: "pg2", at: "-h \(directory) -p 5432") == rows, "\(words)")
            let again = try await Command.run(
                lab.inside(Drover.program) + [
                    "backup", "restore", "--to", "/var/lib/postgresql", "-i", try inventory(),
                ]
                    + words)
            #expect(again.status == 9, "\(again.everything)")
            try await lab.must(on: "pg2", "systemctl stop drover-restore-look; rm -rf \(directory)")
        }
    }

    /// The ends of steps, one in each longer phase.
    private static let deaths = [
        "pg1: archive what", "pg1: set aside", "pg1: restore the backup", "pg1: recover to",
        "pg1: end the recovery, as",
        "pg1: start Patroni", "pg3: check the archive",
    ]

    /// Just before the accident, by a run that is killed in each phase, and goes on.
    private func first(_ moments: Moments) async throws {
        let words = ["--target-time", moments.before, "--promote", "--wait", "--confirm", try await words()]
        for death in Self.deaths {
            let killed = try await RunningProgram.run(try command("apply", words)) { line, program in
                if line.contains("✓ \(death)") { try program.send(.kill) }
            }
            // What the host was at when the controller died may have come to its end all the same.
            #expect([0, 128 + 9].contains(killed.status), "\(death)\n\(killed.everything)")
            guard death == "pg1: set aside" else { continue }
            let meanwhile = try await lab.apply(try inventory(), "--wait")
            #expect(meanwhile.status == 9, "\(meanwhile.everything)")
        }
        let result = try await Command.run(try command("apply", words))
        try #require(result.status == 0, "\(result.everything)")
        try await endWriting()
        let rows = try await sql(Self.rows)
        #expect(rows.hasPrefix(moments.beforeRows))
        // The client has gone on as soon as it could.
        let acknowledged = try await lab.must(on: "pg1", "cat /var/tmp/acknowledged").linesOfOutput
        let written = rows.dropFirst(moments.beforeRows.count).split(separator: " ").map(String.init)
        #expect(Set(written).isSubset(of: acknowledged))
        try await expectWholeCluster(backups: 2)
        expectNothingChanged(try await Command.run(try command("apply", words)))
    }

    private func laterMoment() async throws -> (moment: String, rows: String) {
        try await beginWriting()
        try await write(5)
        try await endWriting()
        let moment = try await sql("SELECT clock_timestamp()")
        let rows = try await sql(Self.rows)
        try await expect([(["--latest"], rows)])
        _ = try await sql("DELETE FROM ledger")
        return (moment, rows)
    }

    /// To an earlier moment than the first time: given up in each phase, looked at, moved on twice, and taken.
    private func earlier(_ moments: Moments) async throws {
        let identity = try await words()
        try await beginWriting()
        try await write(5)
        try await look(["--target-lsn", moments.position], identity, rows: moments.quietRows)
        try await endWriting()
        let acknowledged = try await lab.must(on: "pg1", "cat /var/tmp/acknowledged").linesOfOutput
        try await abort(rows: acknowledged)
        for death in Self.deaths.prefix(3) {
            let words = ["--target-time", moments.amidst, "--promote", "--confirm", identity]
            let killed = try await RunningProgram.run(try command("apply", words)) { line, program in
                if line.contains("✓ \(death)") { try program.send(.kill) }
            }
            #expect(killed.status == 128 + 9, "\(death)\n\(killed.everything)")
            try await abort(rows: acknowledged)
        }

        try await look(["--target-time", moments.amidst], identity, rows: moments.amidstRows)
        try await look(["--target-xid", moments.transaction], identity, rows: moments.quietRows)
        try await look(["--target-name", "quiet"], identity, rows: moments.quietRows)
        let promotion = try await recover("--promote", "--confirm", identity)
        try #require(promotion.status == 0, "\(promotion.everything)")
        #expect(try await sql(Self.rows) == moments.quietRows)
        #expect(try await sql(Self.rows, on: "pg2") == moments.quietRows)
        try await expectWholeCluster(backups: 3)
    }

    /// Brings the cluster to a moment, where it stays, and looks at what is there.
    private func look(_ target: [String], _ identity: String, rows: String) async throws {
        let inspection = ["--inspect", "SELECT 'rows: ' || (\(Self.rows))", "--inspect-in", "app"]
        let result = try await Command.run(
            try command("apply", target + inspection + ["--wait", "--confirm", identity]))
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains(" rows: \(rows)\n"), "\(target)\n\(result.everything)")
    }

    /// Gives a recovery up: the old cluster serves again, with every row that was ever acknowledged.
    private func abort(rows: [String]) async throws {
        let result = try await recover("--abort", "--yes", "--wait")
        try #require(result.status == 0, "\(result.everything)")
        for member in ["pg1", "pg2"] { #expect(try await sql(Self.rows, on: member) == rows.joined(separator: " ")) }
        // The replica follows to the old leader's new timeline in its own time, and tells etcd of it at its next turn.
        try await lab.eventually("all is well again", inventory: try inventory()) {
            $0.findings.isEmpty
        }
    }

    /// To a moment after the first recovery, which lies on a timeline that the second one has left.
    private func after(_ moment: String, _ rows: String) async throws {
        let identity = try await words()
        // The end of the newest backup, which the second recovery made.
        let before = try await sql(Self.rows)
        try await look(["--immediate"], identity, rows: before)
        try await abort(rows: before.split(separator: " ").map(String.init))

        let words = ["--target-time", moment, "--promote", "--confirm", identity]
        let refusal = try await Command.run(try command("apply", words))
        #expect(refusal.status == 9, "\(refusal.everything)")
        let hint = try #require(refusal.errors.firstMatch(of: /say --target-timeline (\d+)/), "\(refusal.everything)")
        let off = words + ["--target-timeline", String(hint.1), "--leave-archiving-off"]
        let result = try await Command.run(try command("apply", off))
        try #require(result.status == 0, "\(result.everything)")
        #expect(try await sql(Self.rows) == rows)
        #expect(try await sql(Self.rows, on: "pg2") == rows)
        try await archiveAgain()
        try await expectWholeCluster(backups: 4)
    }

    /// The archive was left off: that is told, and ends with the next deployment, to which nothing of the log is lost.
    private func archiveAgain() async throws {
        let off = try await lab.status(try inventory()).findings.map(\.text)
        #expect(off == ["archive_mode is on on pg1 without an archive_command: the log is kept until the disk is full"])
        let segment = try await sql("SELECT pg_walfile_name(pg_switch_wal())")
        let deployment = try await lab.apply(try inventory())
        #expect(deployment.status == 0, "\(deployment.everything)")
        expectNothingChanged(try await lab.apply(try inventory()))
        // Patroni tells PostgreSQL at its next turn.
        try await lab.eventually("the archive is on again", inventory: try inventory()) { status in
            !status.findings.contains { off.contains($0.text) }
        }
        let backup = try await lab.drover("backup", "now", "--type", "full", "-i", try inventory())
        #expect(backup.status == 0, "\(backup.everything)")
        try await lab.must(on: "pg3", "ls /var/lib/pgbackrest-keeper/archive/lab/*/*/\(segment)-*")
    }
}
