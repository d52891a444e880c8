import Foundation
import Subprocess
import Testing

/// The cluster that goes back in time, the client that writes to it, and what it is like when all is well.
extension PointInTimeTests {
    func inventory() throws -> String {
        try lab.inventory(replacing: [
            ("    cluster_vip: 10.70.0.100\n", ""),
            ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ("    balancers:\n      hosts: *hosts\n", "    pgbackrest:\n      hosts:\n        pg3:\n"),
            ("            pg2:\n            pg3:\n", "            pg2:\n"),
            (
                "      - { option: shared_buffers",
                "      - { option: track_commit_timestamp, value: 'on' }\n      - { option: shared_buffers"
            ),
            (
                "    patroni_cluster_name: lab\n",
                """
                    patroni_cluster_name: lab
                    pgbackrest_install: true
                    pgbackrest_repo_user: keeper
                    pgbackrest_conf:
                      global:
                        - { option: repo1-cipher-pass, value: lab-passphrase }
                        - { option: repo1-retention-full, value: 20 }

                """
            ),
        ])
    }

    static let psql = "/usr/lib/postgresql/15/bin/psql -XAtq -v ON_ERROR_STOP=1"

    func sql(_ statement: String, on host: String = "pg1", at place: String = "") async throws -> String {
        let text = try await lab.must(
            on: host, "cd /; runuser -u postgres -- \(Self.psql) \(place) -d app -c \"\(statement)\"")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The rows that there are, by their numbers.
    static let rows = "SELECT string_agg(id::text, ' ' ORDER BY id) FROM ledger"

    func recover(_ words: String...) async throws -> Command {
        try await Command.run(try command("apply", words))
    }

    func command(_ verb: String, _ words: [String]) throws -> [String] {
        lab.inside(Drover.program) + [verb, "point-in-time-recovery", "-i", try inventory()] + words
    }

    func beginWriting() async throws {
        let insert = "INSERT INTO ledger DEFAULT VALUES RETURNING id"
        let write =
            "\(Self.psql) -h 10.70.0.11 -p 6432 -U app -d app -c '\(insert)' >>/var/tmp/acknowledged 2>/dev/null"
        try await lab.must(
            on: "pg1",
            """
            rm -f /var/tmp/acknowledged
            systemd-run --quiet --collect --unit=writer --setenv=PGPASSWORD=\(lab.password(of: "app")) /bin/sh -c \
            "while :; do \(write); sleep 0.05; done"
            """)
    }

    func write(_ count: Int) async throws {
        try await lab.must(
            on: "pg1",
            """
            had=$(cat /var/tmp/acknowledged 2>/dev/null | wc -l)
            until [ "$(cat /var/tmp/acknowledged 2>/dev/null | wc -l)" -ge $(( had + \(count) )) ]; do sleep 0.05; done
            """)
    }

    func endWriting() async throws { try await lab.must(on: "pg1", "systemctl stop writer") }

    func words() async throws -> String {
        let system = try await sql("SELECT system_identifier FROM pg_control_system()")
        return "lab@\(system)"
    }

    /// All members are on one timeline, the archive works, and deploy-cluster finds nothing to do.
    func expectWholeCluster(backups count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let status = try await lab.status(try inventory())
        #expect(status.findings.isEmpty, "\(status.findings)", sourceLocation: sourceLocation)
        #expect(status.members.compactMap(\.timeline).count == 2, sourceLocation: sourceLocation)
        #expect(Set(status.members.map(\.timeline)).count == 1, sourceLocation: sourceLocation)
        #expect(try await sql("SELECT failed_count FROM pg_stat_archiver") == "0", sourceLocation: sourceLocation)
        let list = try await lab.drover("backup", "list", "-i", try inventory())
        #expect(list.output.linesOfOutput.count == count + 1, "\(list.everything)", sourceLocation: sourceLocation)
        expectNothingChanged(try await lab.apply(try inventory()), sourceLocation: sourceLocation)
        let logins = try await lab.shell(
            on: "pg2",
            "PGPASSWORD=\(lab.password(of: "app")) \(Self.psql) -h 10.70.0.11 -p 6432 -U app -d app -c 'SELECT 1'")
        #expect(logins.output == "1\n", "\(logins.everything)", sourceLocation: sourceLocation)
    }

    /// What is known of the moments to which the cluster is brought back.
    struct Moments {
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
}
