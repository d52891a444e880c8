import Foundation
import Subprocess
import Testing

/// A server that Debian's tools created becomes the leader of a cluster. Hosts are bare where packages matter.
@Suite("Existing PostgreSQL")
struct ExistingServerTests {
    private var lab: TestLab { TestLab.current }

    private let flag = "            pg1: { postgresql_exists: true }\n"

    /// One replica, the third host for etcd alone, no balancers.
    private func inventory(master: String? = nil, _ additions: String = "") throws -> String {
        try lab.inventory(replacing: [
            ("    cluster_vip: 10.70.0.100\n", additions),
            ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ("    balancers:\n      hosts: *hosts\n", ""),
            ("            pg1:\n", master ?? flag),
            ("            pg2:\n            pg3:\n", "            pg2:\n"),
        ])
    }

    private func sql(_ statement: String, on host: String = "pg1") async throws -> String {
        try await lab.must(
            on: host, "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 -c \"\(statement)\"")
    }

    private func plan(_ inventory: String) async throws -> Command {
        try await lab.drover("plan", "deploy-cluster", "-i", inventory, "--no-diff")
    }

    /// Puts the packages of the lab's own repository into a folder.
    ///
    /// - Parameter beginning: of the name of one that is left out.
    private func supply(_ folder: String, without beginning: String = "none") async throws {
        let result = try await Command.run([
            "sh", "-c",
            #"""
            rm -rf "$1" && mkdir "$1" && cd "$1"
            for file in "$2"/image/packages/*.deb; do case ${file##*/} in "$3"*) ;; *) ln -s "$file" ;; esac; done
            """#, "sh", folder, lab.folder, beginning,
        ])
        try #require(result.status == 0, "\(result.everything)")
    }

    /// Creates a server with settings in a file and by ALTER SYSTEM, and with the table `notes`.
    private func createServer() async throws {
        try await lab.must(
            on: "pg1",
            #"""
            set -e
            apt-get -q update >/dev/null
            apt-get -qy install --no-install-recommends postgresql-15 >/dev/null 2>&1
            [ -e /etc/postgresql/15/main ] || pg_createcluster --start 15 main >/dev/null
            cat >/etc/postgresql/15/main/conf.d/site.conf <<END
            wal_level = logical
            log_line_prefix = 'it''s %m '
            END
            cd /
            psql() { runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 "$@"; }
            psql -c "ALTER SYSTEM SET shared_buffers = '48MB'" -c "ALTER SYSTEM SET work_mem = '7MB'"
            systemctl restart postgresql@15-main
            psql -c "CREATE TABLE notes (n int)"
            """#)
    }

    @Test("plan reports every obstacle at once and changes nothing: exit code 9", .lab(of: 3))
    func refused() async throws {
        let missing = try await plan(try inventory())
        #expect(missing.status == 9, "\(missing.everything)")
        #expect(missing.errors.contains("postgresql_exists is set for pg1, and there is no database in "))

        try await createServer()
        try await lab.must(
            on: "pg1",
            #"""
            set -e
            cd /
            psql() { runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 "$@"; }
            psql -c "CREATE ROLE alien LOGIN" -c "SET password_encryption = md5; ALTER ROLE alien PASSWORD 'x'" \
                -c "SELECT pg_create_physical_replication_slot('alien')" -c "ALTER SYSTEM SET max_wal_senders = 3"
            psql -c "SELECT pg_reload_conf()" >/dev/null
            """#)
        let unasked = try await plan(try inventory(master: "            pg1:\n"))
        #expect(unasked.status == 9, "\(unasked.everything)")
        #expect(unasked.errors.contains("and set postgresql_exists: true for it"), "\(unasked.errors)")

        let wrong = try await plan(
            try inventory("    postgresql_port: 5433\n    synchronous_mode: true\n    synchronous_mode_strict: true\n"))
        #expect(wrong.status == 9, "\(wrong.everything)")
        for complaint in [
            "pg1 listens at port 5432: set postgresql_port: 5432", "pg1 has the replication slots alien",
            "with synchronous_mode_strict nobody could write", "existing: pg1: the passwords of alien are kept as MD5",
            "existing: pg1: max_wal_senders would change with the restart",
        ] {
            #expect(wrong.errors.contains("  - " + complaint), "\(complaint)\n\(wrong.errors)")
        }
        #expect(try await lab.shell(on: "pg1", "command -v patroni").status != 0)
    }

    @Test(
        "deploy-cluster makes a bare host's server the leader with its data and settings, also after a killed run",
        .lab(of: 3))
    func adopted() async throws {
        try await createServer()
        let inventory = try inventory()
        let plan = try await plan(inventory)
        for note in [
            "what the restart changes of the existing server: listen_addresses localhost → 10.70.0.11,127.0.0.1, "
                + "max_connections 100 → 200, shared_buffers 48MB → 64MB",
            "in postgresql.base.conf; and for all members wal_level logical",
            "what ALTER SYSTEM has set and is decided elsewhere now: shared_buffers",
        ] {
            #expect(plan.output.contains(note), "\(note)\n\(plan.everything)")
        }
        try await lab.must(
            on: "pg2", "rm /etc/apt/sources.list.d/*; rm -rf /var/lib/apt/lists; mkdir -p /var/lib/apt/lists/partial")
        // A client that logs which of its rows were committed.
        try await lab.must(
            on: "pg1",
            #"""
            systemd-run --quiet --unit=writer sh -c 'cd /; n=0; while :; do n=$((n + 1)); sleep 0.02; \
                ! runuser -u postgres -- psql -XAtqc "INSERT INTO notes VALUES ($n)" || echo $n >>/root/taken; done'
            """#)
        let folder = "\(lab.folder)/packages"
        try await supply(folder, without: "libpq5_")
        let lacking = try await lab.drover("plan", "deploy-cluster", "-i", inventory, "--offline", folder)
        #expect(lacking.status == 9, "\(lacking.everything)")
        #expect(
            lacking.errors.contains("packages: pg2: \(folder) does not have all that curl etcd-server "),
            "\(lacking.errors)")
        #expect(lacking.errors.contains("Depends: libpq5 (>= "), "\(lacking.errors)")
        try await supply(folder)

        let command =
            lab.inside(Drover.program) + [
                "apply", "deploy-cluster", "-i", inventory, "--yes", "--no-diff", "--offline", folder,
            ]
        let killed = try await RunningProgram.run(command) { line, program in
            // Patroni manages the server by then, which still runs with its old configuration.
            if line.contains("✓ pg1: wait until PostgreSQL leads") { try program.send(.kill) }
        }
        #expect(killed.status == 137, "\(killed.everything)")
        #expect(
            killed.output.contains(/pg2: install .*, from [0-9]+ files of .*packages, [0-9]+ MB/), "\(killed.output)")
        let result = try await lab.apply(inventory, "--no-diff", "--offline", folder)
        try #require(result.status == 0, "\(result.everything)")
        #expect(
            (killed.output + result.output).contains(/no write was accepted for [0-9]+\.[0-9] s/), "\(result.output)")
        let again = try await lab.apply(inventory, "--offline", folder, "--stats")
        expectNothingChanged(again)
        print(again.output.linesOfOutput.filter { $0.hasPrefix("pg2  connections") })
        // apt may remove dependencies together with their packages, and no copy of the files is left.
        #expect(try await lab.must(on: "pg2", "apt-mark showauto libpq5 patroni; ls /var/cache/drover") == "libpq5\n")

        try await lab.must(on: "pg1", "systemctl stop writer")
        let taken = try await lab.must(on: "pg1", "sort -n /root/taken").linesOfOutput
        #expect(taken.count > 100)
        for host in ["pg1", "pg2"] {
            let there = Set(try await sql("SELECT n FROM notes", on: host).linesOfOutput)
            #expect(Set(taken).subtracting(there) == [])
            #expect(
                try await sql(
                    "SHOW wal_level\" -c \"SHOW work_mem\" -c \"SHOW log_line_prefix\" -c \"SHOW shared_buffers",
                    on: host)
                    == "logical\n7MB\nit's %m \n64MB\n")
        }
        #expect(try await lab.must(on: "pg1", "systemctl is-active postgresql@15-main || :") == "inactive\n")
        #expect(try await lab.status(inventory).leader == "pg1")
    }

    @Test("Patroni manages the server after a loss of power", .lab(of: 3, isPrepared: true))
    func power() async throws {
        try await createServer()
        let inventory = try inventory()
        let deployment = try await lab.apply(inventory, "--no-diff")
        try #require(deployment.status == 0, "\(deployment.everything)")
        try await lab.fault("kill", "pg1")
        try await lab.fault("start", "pg1")
        try await lab.must(
            on: "pg1",
            """
            cd /; ask() { runuser -u postgres -- psql -XAtqc 'SELECT pg_is_in_recovery(), current_setting($$config_file$$)'; }
            until ask 2>/dev/null | grep -qx 'f|/var/lib/postgresql/15/main/postgresql.conf'; do sleep 0.1; done
            """)
        try await lab.eventually("the replica streams", inventory: inventory) { status in
            status.members.map(\.state) == ["running", "streaming"]
        }
        expectNothingChanged(try await lab.apply(inventory))
    }
}
