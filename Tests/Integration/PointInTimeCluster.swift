import Foundation
import Testing

/// A cluster that goes back in time, and a client that writes a row to it every 50 ms.
struct PointInTimeCluster {
    let lab: TestLab
    /// The member that is recovered.
    let leader: String
    /// What confirms a recovery.
    let identity: String

    init(lab: TestLab) async throws {
        self.lab = lab
        leader = try #require(try await lab.status().leader)
        identity = try await lab.confirmation(on: leader)
    }

    var replica: String { leader == "pg1" ? "pg2" : "pg1" }

    /// The query for the rows that there are, by their numbers.
    static let rows = "SELECT string_agg(id::text, ' ' ORDER BY id) FROM ledger"

    func sql(_ statement: String) async throws -> String { try await lab.superuserSQL(statement, on: leader) }

    func rows(on host: String? = nil) async throws -> String {
        try await lab.superuserSQL(Self.rows, on: host ?? leader)
    }

    // MARK: Recovery

    func recover(_ words: [String]) async throws -> Command { try await Command.run(command(words)) }

    func command(_ words: [String]) -> [String] {
        lab.command(["apply", "point-in-time-recovery", "-i", lab.inventory] + words)
    }

    /// Promotes the state at a target.
    func promote(_ target: String...) async throws {
        let result = try await recover(target + ["--promote", "--confirm", identity])
        try #require(result.status == 0, "\(result.everything)")
    }

    /// Brings the cluster to a target, where it stays, and looks at what is there.
    func look(_ target: String..., rows: String) async throws {
        let inspection = ["--inspect", "SELECT 'rows: ' || (\(Self.rows))", "--inspect-in", "app"]
        let result = try await recover(target + inspection + ["--wait", "--confirm", identity])
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains(" rows: \(rows)\n"), "\(target)\n\(result.everything)")
    }

    /// Gives a recovery up: the old cluster serves again, with every row that was ever acknowledged.
    func abort(rows: String) async throws {
        let result = try await recover(["--abort", "--yes", "--wait"])
        try #require(result.status == 0, "\(result.everything)")
        for member in ["pg1", "pg2"] { #expect(try await self.rows(on: member) == rows) }
        // The replica follows to the old leader's new timeline in its own time, and tells etcd of it at its next turn.
        try await lab.eventually("all is well again") { $0.findings.isEmpty }
    }

    /// Restores a backup beside the cluster, on the replica, and looks at what is there.
    func expectBeside(_ target: [String], rows: String) async throws {
        let directory = "/var/lib/postgresql/look"
        func restore(to directory: String) async throws -> Command {
            try await Command.run(
                lab.command(["backup", "restore", "--to", directory, "-i", lab.inventory] + target))
        }
        let result = try await restore(to: directory)
        try #require(result.status == 0, "\(result.everything)")
        let found = try await lab.superuserSQL(Self.rows, on: replica, "-h \(directory) -p 5432")
        #expect(found == rows, "\(target)")
        let again = try await restore(to: "/var/lib/postgresql")
        #expect(again.status == 9, "\(again.everything)")
        try await lab.must(on: replica, "systemctl stop drover-restore-look; rm -rf \(directory)")
    }

    /// All members are on one timeline, the archive works, and deploy-cluster finds nothing to do.
    func expectWhole(backups count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let status = try await lab.status()
        #expect(status.findings.isEmpty, "\(status.findings)", sourceLocation: sourceLocation)
        #expect(status.members.compactMap(\.timeline).count == 2, sourceLocation: sourceLocation)
        #expect(Set(status.members.map(\.timeline)).count == 1, sourceLocation: sourceLocation)
        #expect(try await sql("SELECT failed_count FROM pg_stat_archiver") == "0", sourceLocation: sourceLocation)
        #expect(try await lab.backups().count == count, sourceLocation: sourceLocation)
        expectNothingChanged(try await lab.apply(), sourceLocation: sourceLocation)
        let logins = try await lab.shell(on: replica, "\(client) -c 'SELECT 1'")
        #expect(logins.output == "1\n", "\(logins.everything)", sourceLocation: sourceLocation)
    }

    // MARK: The client

    /// What connects to the pooler of the leader. The `psql` in the path is a program of Perl, and slow.
    private var client: String {
        "PGPASSWORD=\(lab.password(of: "app")) /usr/lib/postgresql/15/bin/psql -XAtq -v ON_ERROR_STOP=1 "
            + "-h 10.70.0.1\(leader.dropFirst(2)) -p 6432 -U app -d app"
    }

    func beginWriting() async throws {
        try await lab.must(
            on: leader,
            """
            rm -f /var/tmp/acknowledged
            systemd-run --quiet --collect --unit=writer /bin/sh -c \
            "while :; do \(client) -c 'INSERT INTO ledger DEFAULT VALUES RETURNING id' >>/var/tmp/acknowledged 2>/dev/null; \
            sleep 0.05; done"
            """)
    }

    /// Waits until the client has written so many more rows.
    func write(_ count: Int) async throws {
        try await lab.must(
            on: leader,
            """
            had=$(cat /var/tmp/acknowledged 2>/dev/null | wc -l)
            until [ "$(cat /var/tmp/acknowledged 2>/dev/null | wc -l)" -ge $(( had + \(count) )) ]; do sleep 0.05; done
            """)
    }

    func endWriting() async throws { try await lab.must(on: leader, "systemctl stop writer") }

    /// The rows that were acknowledged since the client began.
    func acknowledged() async throws -> [String] {
        try await lab.must(on: leader, "cat /var/tmp/acknowledged").linesOfOutput
    }

    // MARK: The accident

    /// The recovery targets before an accident.
    struct Targets {
        /// While the client writes.
        var amidst = ""
        var amidstRows = ""
        /// Between two writes.
        var position = ""
        var quietRows = ""
        var transaction = ""
        /// Just before the accident.
        var before = ""
        var beforeRows = ""
    }

    /// Makes the table `ledger`, has the client write, and deletes all rows while it goes on.
    func accident() async throws -> Targets {
        var targets = Targets()
        _ = try await sql(
            """
            CREATE TABLE ledger (id serial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
            ALTER TABLE ledger OWNER TO app;
            """)
        try await beginWriting()
        try await write(10)
        targets.amidst = try await sql("SELECT clock_timestamp()")
        try await write(10)
        targets.amidstRows = try await sql(
            "\(Self.rows) WHERE pg_xact_commit_timestamp(xmin) <= '\(targets.amidst)'")
        try await endWriting()
        targets.quietRows = try await rows()
        targets.transaction = try await sql("SELECT xmin FROM ledger ORDER BY id DESC LIMIT 1")
        targets.position = try await sql("SELECT pg_current_wal_lsn() FROM pg_create_restore_point('quiet')")
        try await beginWriting()
        try await write(10)
        let lines = try await sql(
            """
            BEGIN; LOCK TABLE ledger IN SHARE ROW EXCLUSIVE MODE; SELECT clock_timestamp();
            \(Self.rows); DELETE FROM ledger; COMMIT;
            """
        ).linesOfOutput
        try #require(lines.count == 2)
        (targets.before, targets.beforeRows) = (lines[0], lines[1])
        try await write(5)
        #expect(targets.amidstRows.count > 20)
        #expect(targets.quietRows.hasPrefix(targets.amidstRows))
        return targets
    }
}
