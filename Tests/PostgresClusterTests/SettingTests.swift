import Diagnostics
import Engine
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Settings of the daemons' files")
struct SettingTests {
    private func content(of path: String, _ variables: [String], member: Int = 1) throws -> String {
        let cluster = try Sample.cluster(Sample.text(Sample.variables + variables))
        let host = cluster.configuration.members[member].host
        let resources: [any Resource] =
            try cluster.patroni(on: host) + cluster.pgbouncer(on: host) + cluster.haproxy(on: host)
        return try GoldenTests.content(of: path, in: resources)
    }

    @Test("of HAProxy: how long a connection may be idle")
    func timeouts() throws {
        let text = try content(of: "/etc/haproxy/haproxy.cfg", ["haproxy_timeout: { client: 10m, server: 20m }"])
        #expect(text.contains("    timeout client 10m\n    timeout server 20m\n"))
        let fault = #expect(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + ["haproxy_timeout: { client: soon }"]))
        }
        #expect("\(try #require(fault))".contains("'soon' is no time of HAProxy"))
    }

    @Test("of PgBouncer, those with a variable of their own and any other")
    func pooler() throws {
        let text = try content(
            of: "/etc/pgbouncer/pgbouncer.ini",
            [
                "pgbouncer_max_db_connections: 50", "pgbouncer_query_wait_timeout: 30",
                "pgbouncer_ignore_startup_parameters: extra_float_digits,TimeZone",
                "pgbouncer_default_pool_mode: transaction", "pgbouncer_options: { server_idle_timeout: 300 }",
            ])
        #expect(text.contains("pool_mode = transaction\n"))
        #expect(text.contains("query_wait_timeout = 30\n"))
        #expect(text.contains("ignore_startup_parameters = extra_float_digits,options,search_path,geqo,TimeZone\n"))
        #expect(text.contains("max_db_connections = 50\nserver_idle_timeout = 300\n"))
    }

    @Test("of PgBouncer, but not those that follow from the rest")
    func ownOptions() throws {
        let fault = #expect(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + ["pgbouncer_options: { auth_type: any }"]))
        }
        #expect("\(try #require(fault))".contains("'auth_type' of PgBouncer follows from the rest of the inventory"))
    }

    @Test("of Patroni: what it writes to the journal")
    func log() throws {
        let text = try content(
            of: "/etc/patroni/config.yml",
            [
                "patroni_log_level: debug", "patroni_log_format: '%(message)s'",
                "patroni_log_loggers_urllib3: warning",
            ])
        #expect(
            text.contains(
                """

                log:
                  level: DEBUG
                  format: '%(message)s'
                  loggers:
                    urllib3: WARNING

                restapi:
                """))
        #expect(!(try content(of: "/etc/patroni/config.yml", []).contains("\nlog:")))
    }

    @Test("of PostgreSQL: maps of users, and parameters of one member")
    func postgres() throws {
        let text = try content(
            of: "/etc/patroni/config.yml",
            ["postgresql_pg_ident: [{ mapname: staff, system_username: alice, pg_username: app }]"])
        #expect(text.contains("  pg_ident:\n    - 'staff alice app'\n"))
        let groups = Sample.groups.replacing(
            "pg2: { ansible_host",
            with: "pg2: { local_postgresql_parameters: [{ option: work_mem, value: 8MB }], ansible_host")
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + ["postgresql_parameters: [{ option: work_mem, value: 4MB }]"], groups: groups))
        for (index, size) in [(0, "4MB"), (1, "8MB")] {
            let host = cluster.configuration.members[index].host
            let file = try GoldenTests.content(of: "/etc/patroni/config.yml", in: cluster.patroni(on: host))
            #expect(file.contains("    work_mem: '\(size)'\n"), "\(file)")
        }
    }
}
