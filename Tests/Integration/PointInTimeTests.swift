import Foundation
import Subprocess
import Testing

/// Recoveries to points before an accident, while a client writes a row every 50 ms.
@Suite("Point-in-time recovery", .lab(from: .pair))
struct PointInTimeTests {
    private var lab: TestLab { TestLab.current }

    @Test("a target that cannot be reached, or for which there is no room, is refused before anything changes")
    func refusals() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let leader = cluster.leader
        try await shrinkDisk(of: cluster)
        let starts = """
            systemctl show -p ExecMainStartTimestampMonotonic patroni pgbouncer; sed -n 3p /var/lib/postgresql/15/main/postmaster.pid
            """
        let before = try await lab.must(on: leader, starts)
        func expect(_ reason: String, _ words: [String], confirm: String? = nil) async throws {
            let result = try await cluster.recover(words + ["--promote", "--confirm", confirm ?? cluster.identity])
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
        try await expect("the repository of 'lab' does not answer \(leader)", ["--latest"])
        try await lab.must(on: "pg3", "mv \(keys).away \(keys)")
        let directory = "/var/lib/postgresql/15/main"
        try await lab.must(on: leader, "mount --bind \(directory) \(directory)")
        try await expect("\(directory) is a mount point on \(leader)", ["--latest"])
        try await lab.must(
            on: leader,
            "umount \(directory); fallocate -l $(( $(df -k --output=avail /var/lib/postgresql | tail -1) - 10240 ))K /var/lib/postgresql/filler"
        )
        try await expect("and the database with a tenth more takes", ["--latest"])
        #expect(try await lab.must(on: leader, starts) == before)
    }

    /// Gives the data of the leader a small disk, which a test can fill.
    private func shrinkDisk(of cluster: PointInTimeCluster) async throws {
        try await lab.must(on: cluster.replica, "systemctl stop patroni")
        try await lab.must(
            on: cluster.leader,
            """
            set -e
            systemctl stop patroni
            cp -a /var/lib/postgresql /root/data
            mount -t tmpfs -o mode=755,size=2g data /var/lib/postgresql
            cp -a /root/data/. /var/lib/postgresql
            chown --reference=/root/data /var/lib/postgresql
            systemctl start patroni
            """)
        try await lab.must(on: cluster.replica, "systemctl start patroni")
        try await lab.eventually("the cluster is whole on the small disk") {
            $0.leader == cluster.leader && $0.findings.isEmpty
        }
    }

    @Test("a backup is restored beside the cluster to targets of all kinds, with exactly their rows")
    func beside() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let targets = try await cluster.accident()
        for (target, rows) in [
            (["--target-xid", targets.transaction], targets.quietRows),
            (["--target-name", "quiet"], targets.quietRows),
            (
                ["--target-xid", targets.transaction, "--exclusive"],
                targets.quietRows.split(separator: " ").dropLast().joined(separator: " ")
            ),
        ] { try await cluster.expectBeside(target, rows: rows) }
        let status = try await lab.status()
        #expect(status.findings.isEmpty, "\(status.findings)")
        try await cluster.endWriting()
        try await cluster.expectBeside(["--latest"], rows: try await cluster.rows())
    }

    /// The ends of steps, one in each longer phase.
    private func deaths(on leader: String) -> [String] {
        [
            "\(leader): archive what", "\(leader): set aside", "\(leader): restore the backup",
            "\(leader): recover to", "\(leader): end the recovery, as", "\(leader): start Patroni",
            "pg3: check the archive",
        ]
    }

    /// Runs a recovery, and kills it when a step has ended.
    private func kill(_ command: [String], after step: String) async throws -> Command {
        try await RunningProgram.run(command) { line, program in
            if line.contains("✓ \(step)") { try program.send(.kill) }
        }
    }

    @Test("a recovery that is killed in each phase goes on, and ends just before the accident")
    func killed() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let targets = try await cluster.accident()
        let words = ["--target-time", targets.before, "--promote", "--wait", "--confirm", cluster.identity]
        for death in deaths(on: cluster.leader) {
            let killed = try await kill(cluster.command(words), after: death)
            // What the host was at when the controller died may have come to its end all the same.
            #expect([0, 128 + 9].contains(killed.status), "\(death)\n\(killed.everything)")
            guard death == "\(cluster.leader): set aside" else { continue }
            let meanwhile = try await lab.apply(nil, "--wait")
            #expect(meanwhile.status == 9, "\(meanwhile.everything)")
        }
        let result = try await cluster.recover(words)
        try #require(result.status == 0, "\(result.everything)")
        try await cluster.endWriting()
        let rows = try await cluster.rows()
        #expect(rows.hasPrefix(targets.beforeRows))
        // The client has gone on as soon as it could.
        let written = rows.dropFirst(targets.beforeRows.count).split(separator: " ").map(String.init)
        #expect(Set(written).isSubset(of: try await cluster.acknowledged()))
        try await cluster.expectWhole(backups: 2)
        expectNothingChanged(try await cluster.recover(words))
    }

    @Test("a recovery that is given up in any phase leaves the old cluster with every row that was acknowledged")
    func givenUp() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let targets = try await cluster.accident()
        try await cluster.endWriting()
        let before = try await cluster.rows()
        try await cluster.beginWriting()
        try await cluster.write(5)
        try await cluster.look("--target-lsn", targets.position, rows: targets.quietRows)
        try await cluster.endWriting()
        let rows = ([before] + (try await cluster.acknowledged())).joined(separator: " ")
        try await cluster.abort(rows: rows)
        for death in deaths(on: cluster.leader).prefix(3) {
            let words = ["--target-time", targets.amidst, "--promote", "--confirm", cluster.identity]
            let killed = try await kill(cluster.command(words), after: death)
            #expect(killed.status == 128 + 9, "\(death)\n\(killed.everything)")
            try await cluster.abort(rows: rows)
        }
    }

    @Test("after a recovery, another one goes to earlier targets, moves on twice, and is promoted")
    func earlier() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let targets = try await cluster.accident()
        try await cluster.promote("--target-time", targets.before)
        try await cluster.endWriting()
        try await cluster.look("--target-time", targets.amidst, rows: targets.amidstRows)
        try await cluster.look("--target-xid", targets.transaction, rows: targets.quietRows)
        try await cluster.look("--target-name", "quiet", rows: targets.quietRows)
        try await cluster.promote()
        for host in ["pg1", "pg2"] { #expect(try await cluster.rows(on: host) == targets.quietRows) }
        try await cluster.expectWhole(backups: 3)
    }

    @Test("a third recovery goes to a timeline that the second one has left, if it is told so")
    func leftTimeline() async throws {
        let cluster = try await PointInTimeCluster(lab: lab)
        let targets = try await cluster.accident()
        try await cluster.promote("--target-time", targets.before)
        try await cluster.write(5)
        try await cluster.endWriting()
        let later = try await cluster.sql("SELECT clock_timestamp()")
        let laterRows = try await cluster.rows()
        try await cluster.expectBeside(["--latest"], rows: laterRows)
        _ = try await cluster.sql("DELETE FROM ledger")
        try await cluster.promote("--target-lsn", targets.position)

        // The end of the newest backup, which the second recovery made.
        try await cluster.look("--immediate", rows: targets.quietRows)
        try await cluster.abort(rows: targets.quietRows)

        let words = ["--target-time", later, "--promote", "--confirm", cluster.identity]
        let refusal = try await cluster.recover(words)
        #expect(refusal.status == 9, "\(refusal.everything)")
        let hint = try #require(refusal.errors.firstMatch(of: /say --target-timeline (\d+)/), "\(refusal.everything)")
        try await cluster.promote(
            "--target-time", later, "--target-timeline", String(hint.1), "--leave-archiving-off")
        for host in ["pg1", "pg2"] { #expect(try await cluster.rows(on: host) == laterRows) }
        try await archiveAgain(cluster)
        try await cluster.expectWhole(backups: 4)
    }

    /// Status reports that the archive was left off. The next deployment switches it on, and no WAL is lost.
    private func archiveAgain(_ cluster: PointInTimeCluster) async throws {
        let off = try await lab.status().findings.map(\.text)
        #expect(
            off == [
                "archive_mode is on on \(cluster.leader) without an archive_command: the log is kept until the disk is full"
            ])
        let segment = try await cluster.sql("SELECT pg_walfile_name(pg_switch_wal())")
        let deployment = try await lab.apply()
        #expect(deployment.status == 0, "\(deployment.everything)")
        expectNothingChanged(try await lab.apply())
        // Patroni tells PostgreSQL at its next turn.
        try await lab.eventually("the archive is on again") { status in
            !status.findings.contains { off.contains($0.text) }
        }
        let backup = try await lab.drover("backup", "now", "--type", "full", "-i", lab.inventory)
        #expect(backup.status == 0, "\(backup.everything)")
        try await lab.must(on: "pg3", "ls /var/lib/pgbackrest-keeper/archive/lab/*/*/\(segment)-*")
    }
}
