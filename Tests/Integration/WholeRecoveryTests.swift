import Foundation
import Testing

/// The life of a cluster as one runs it in production: three members with balancers and an address, synchronous replication,
/// a tablespace that only PostgreSQL may write to, and a host for the backups. A client writes through the address all the
/// time, also while the cluster is recovered.
@Suite("recovery of a whole cluster", .serialized, .lab(of: 4, isPrepared: true))
struct WholeRecoveryTests {
    private var lab: TestLab { TestLab.current }
    private var client: NumberedRows { NumberedRows(lab: lab, host: "pg4", address: "10.70.0.100") }
    private let members = ["pg1", "pg2", "pg3"]

    private func inventory() throws -> String {
        try lab.inventory(replacing: [
            (
                "    patroni_cluster_name: lab\n",
                """
                    patroni_cluster_name: lab
                    synchronous_mode: true
                    pgbackrest_install: true
                    pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: lab-passphrase }] }

                """
            ),
            (
                "    postgres_cluster:\n",
                "    pgbackrest:\n      hosts:\n        pg4: { ansible_host: 10.70.0.14 }\n    postgres_cluster:\n"
            ),
        ])
    }

    private func sql(_ statement: String, on host: String = "pg1", at place: String = "") async throws -> String {
        try await lab.must(
            on: host,
            "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 \(place) -d app -c \"\(statement)\""
        ).trimmed
    }

    /// What clients read.
    private func read(_ statement: String, at host: String, port: Int) async throws -> String {
        try await lab.must(
            on: "pg4",
            "PGPASSWORD=\(lab.password(of: "app")) psql -XAtq -h \(host) -p \(port) -U app -d app -c '\(statement)'"
        ).trimmed
    }

    private func recover(_ words: String...) async throws -> Command {
        try await Command.run(
            lab.inside(Drover.program) + ["apply", "point-in-time-recovery", "-i", try inventory()] + words)
    }

    /// The numbers of the rows that there are.
    private func rows() async throws -> [Int] { try await sql("SELECT n FROM rows ORDER BY n").numbers }

    private func acknowledged() async throws -> [Int] {
        try await lab.must(on: "pg4", "cat /root/rows.acknowledged").numbers
    }

    @Test("with its tablespace, its address and its synchronous replica, once taken and once given up")
    func life() async throws {
        let deployment = try await lab.apply(try inventory())
        try #require(deployment.status == 0, "\(deployment.everything)")
        try await makeTablespace()
        try await client.begin()
        try await client.write(20)
        let (moment, before) = try await accident()
        try await beside(moment)
        let first = try await taken(moment, before)
        try await givenUp(moment, rowsSince: first)
    }

    /// It is not in the backup yet: the log makes it anew. In its parent PostgreSQL may not make directories.
    private func makeTablespace() async throws {
        for member in members {
            try await lab.must(on: member, "install -d -o postgres -g postgres -m 0700 /srv/space")
        }
        try await lab.must(
            on: "pg1",
            "cd /; runuser -u postgres -- psql -XAtq -d app -c \"CREATE TABLESPACE space LOCATION '/srv/space'\"")
        _ = try await sql("CREATE TABLE kept TABLESPACE space AS SELECT generate_series(1, 1000) AS n")
        _ = try await sql("ALTER TABLE kept OWNER TO app")
    }

    /// - Returns: a moment just before it, and the numbers of the rows that were there.
    private func accident() async throws -> (moment: String, rows: [Int]) {
        let told = try await sql(
            """
            BEGIN; LOCK TABLE rows IN SHARE ROW EXCLUSIVE MODE; SELECT clock_timestamp();
            SELECT n FROM rows ORDER BY n; DELETE FROM rows; DELETE FROM kept WHERE n > 990; COMMIT;
            """
        ).linesOfOutput
        try await client.write(5)
        return (told[0], told.dropFirst().compactMap { Int($0) })
    }

    /// Who replays beside the cluster that its tablespace is made keeps away from that.
    private func beside(_ moment: String) async throws {
        let settled = """
            cd /; at=\(try await sql("SELECT pg_current_wal_lsn()"))
            ask() { runuser -u postgres -- psql -XAtqc "$1"; }
            until [ "$(ask "SELECT pg_last_wal_replay_lsn() >= '$at'")" = t ]; do sleep 0.05; done
            ask CHECKPOINT
            """
        let digests = "cd /srv/space && find . -type f -exec sha256sum {} + | sort"
        let live = try await lab.must(on: "pg2", "\(settled)\n\(digests)")
        let directory = "/var/lib/postgresql/look"
        let result = try await lab.drover(
            "backup", "restore", "--to", directory, "--on", "pg2", "--target-time", moment, "-i", try inventory())
        try #require(result.status == 0, "\(result.everything)")
        #expect(try await sql("SELECT count(*) FROM kept", on: "pg2", at: "-h \(directory)") == "1000")
        #expect(try await lab.must(on: "pg2", digests) == live)
        try await lab.must(on: "pg2", "systemctl stop drover-restore-look; rm -rf \(directory)")
    }

    /// - Returns: the number of the first row that was written to the recovered cluster.
    private func taken(_ moment: String, _ before: [Int]) async throws -> Int {
        let lost = try await acknowledged()
        let identity = try await sql("SELECT 'lab@' || system_identifier FROM pg_control_system()")
        let result = try await recover("--target-time", moment, "--promote", "--wait", "--confirm", identity)
        try #require(result.status == 0, "\(result.everything)")
        #expect(
            result.output.contains("+ set aside /srv/space, /var/lib/postgresql/15/main as "), "\(result.everything)")
        try await client.write(5)
        let rows = try await rows()
        #expect(Array(rows.prefix(before.count)) == before)
        let written = rows.dropFirst(before.count)
        #expect(Set(written).isDisjoint(with: lost))
        try await expectWholeCluster()
        return try #require(written.first)
    }

    private func expectWholeCluster() async throws {
        // Patroni chooses the synchronous replica at its next turn.
        try await lab.eventually("all is well again", inventory: try inventory()) { $0.findings.isEmpty }
        let status = try await lab.status(try inventory())
        #expect(Set(status.members.map(\.timeline)).count == 1)
        #expect(status.members.map(\.role).filter { $0 == "sync_standby" }.count == 1)
        #expect(status.balancers.filter(\.holdsAddress).count == 1)
        for member in members {
            #expect(try await sql("SELECT count(*) FROM kept", on: member) == "1000")
            try await lab.must(
                on: member, "[ \"$(readlink /var/lib/postgresql/15/main/pg_tblspc/*)\" = /srv/space ]")
        }
        for (host, port) in [("10.70.0.100", 5000), ("10.70.0.100", 5001), ("10.70.0.11", 6432)] {
            #expect(try await read("SELECT count(*) FROM kept", at: host, port: port) == "1000")
        }
        expectNothingChanged(try await lab.apply(try inventory()))
    }

    /// By now the tablespace is in the backup. Nothing that was acknowledged since the first recovery is lost.
    private func givenUp(_ moment: String, rowsSince first: Int) async throws {
        let identity = try await sql("SELECT 'lab@' || system_identifier FROM pg_control_system()")
        let look = try await recover(
            "--latest", "--inspect", "SELECT 'kept: ' || count(*) FROM kept", "--inspect-in", "app", "--wait",
            "--confirm", identity)
        try #require(look.status == 0, "\(look.everything)")
        #expect(look.output.contains(" kept: 1000\n"), "\(look.everything)")
        let abort = try await recover("--abort", "--yes", "--wait")
        try #require(abort.status == 0, "\(abort.everything)")
        try await client.write(5)
        try await client.end()
        let rows = try await rows()
        #expect(Set(try await acknowledged().filter { $0 >= first }).isSubset(of: rows))
        try await expectWholeCluster()
    }
}

extension String {
    fileprivate var numbers: [Int] { linesOfOutput.compactMap { Int($0) } }
}
