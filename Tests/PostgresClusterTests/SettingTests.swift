import Diagnostics
import Engine
import Inventory
import SystemResources
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

    @Test("of HAProxy: lines of the inventory's own in each section")
    func extraLines() throws {
        let text = try content(
            of: "/etc/haproxy/haproxy.cfg",
            [
                "haproxy_extra_lines: { global: ['stats timeout 30s'], defaults: ['option tcplog', 'timeout tunnel 1h'], "
                    + "stats: ['stats refresh 5s'], master: ['timeout client 8h'] }"
            ])
        #expect(text.contains(" expose-fd listeners\n    stats timeout 30s\n\ndefaults\n"))
        #expect(text.contains("    timeout server 60m\n    option tcplog\n    timeout tunnel 1h\n\nlisten stats\n"))
        #expect(text.contains("if { path /metrics }\n    stats refresh 5s\n"))
        #expect(text.split(separator: "    timeout client 8h\n    server pg1").count == 2)
    }

    @Test(
        "of HAProxy: lines that are none",
        arguments: [
            ("{ mastr: [option tcplog] }", "HAProxy has no section 'mastr'; did you mean 'master'?"),
            ("{ defaults: ['listen more'] }", "'listen more' is no line of a section of HAProxy"),
            ("{ defaults: [''] }", "'' is no line of a section of HAProxy"),
            (
                "{ defaults: [\"option tcplog\\nlisten more\"] }",
                "a value of 'haproxy_extra_lines' has a line break in it"
            ),
        ])
    func wrongExtraLines(value: String, expected: String) throws {
        let fault = #expect(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + ["haproxy_extra_lines: \(value)"]))
        }
        #expect("\(try #require(fault))".contains(expected))
    }

    @Test("of HAProxy: replicas by their tags, for each balancer")
    func balancerTags() throws {
        let groups = Sample.groups
            .replacing("hosts: { pg1: , pg2: }", with: "hosts: { pg1: { balancer_tags: datacenter=dc2 }, pg2: }")
            .replacing(
                "bind_address: 10.9.0.3", with: "bind_address: 10.9.0.3, patroni_tags: 'nosync=true,datacenter=dc2'")
        let cluster = try Sample.cluster(Sample.text(groups: groups))
        let (first, third) = (cluster.configuration.balancers[0].host, cluster.configuration.members[2].host)
        let haproxy = try GoldenTests.content(of: "/etc/haproxy/haproxy.cfg", in: cluster.haproxy(on: first))
        #expect(haproxy.contains("uri /primary\n"))
        #expect(haproxy.contains("uri /replica?lag=100MB&tag_datacenter=dc2\n"))
        let other = try GoldenTests.content(
            of: "/etc/haproxy/haproxy.cfg", in: cluster.haproxy(on: cluster.configuration.balancers[1].host))
        #expect(other.contains("uri /replica?lag=100MB\n"))
        let patroni = try GoldenTests.content(of: "/etc/patroni/config.yml", in: cluster.patroni(on: third))
        #expect(patroni.hasSuffix("  nosync: true\n  datacenter: 'dc2'\n"))
        #expect(cluster.configuration.leads("pg1", to: "pg3") && !cluster.configuration.leads("pg1", to: "pg2"))
        #expect(cluster.configuration.leads("pg2", to: "pg1"))
    }

    @Test(
        "of HAProxy: tags that no member has",
        arguments: [
            ("datacenter=dc9", "no member has the tag 'datacenter=dc9', so that pg1 would serve no reader"),
            ("datacenter", "'datacenter' is no tag; write NAME=VALUE"),
        ])
    func wrongBalancerTags(tags: String, expected: String) throws {
        let groups = Sample.groups.replacing(
            "hosts: { pg1: , pg2: }", with: "hosts: { pg1: { balancer_tags: \(tags) }, pg2: }")
        let fault = #expect(throws: Diagnostics.self) { try Sample.configuration(Sample.text(groups: groups)) }
        #expect("\(try #require(fault))".contains(expected))
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

    @Test("of PgBouncer: TLS, where clients may have to show certificates")
    func poolerTLS() throws {
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + [
                    "pgbouncer_client_tls_sslmode: verify-full", "pgbouncer_client_tls_protocols: tlsv1.3",
                    "pgbouncer_server_tls_protocols: secure", "pgbouncer_server_tls_ciphers: 'HIGH:!aNULL'",
                ]), tls: true)
        let text = try GoldenTests.content(
            of: "/etc/pgbouncer/pgbouncer.ini", in: cluster.pgbouncer(on: cluster.configuration.members[0].host))
        #expect(text.contains("client_tls_sslmode = verify-full\n"))
        #expect(text.hasSuffix("client_tls_protocols = tlsv1.3\nserver_tls_ciphers = HIGH:!aNULL\n"))
    }

    @Test(
        "of PgBouncer that are wrong",
        arguments: [
            ("pgbouncer_client_tls_sslmode: verify", "unknown value 'verify'"),
            ("pgbouncer_client_tls_sslmode: verify-ca", "but tls_enable is false; set tls_enable to true"),
            ("pgbouncer_client_tls_protocols: ssl3", "'ssl3' cannot be client_tls_protocols of PgBouncer"),
            ("pgbouncer_server_tls_ciphers: 'a b;'", "'a b;' cannot be server_tls_ciphers of PgBouncer"),
            ("pgbouncer_max_prepared_statements: -1", "-1 is no number of prepared statements"),
        ])
    func wrongPooler(line: String, expected: String) throws {
        let fault = #expect(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + [line]))
        }
        #expect("\(try #require(fault))".contains(expected))
    }

    @Test("of PgBouncer: prepared statements, where its version has them", arguments: ["1.18.0-1", "1.24.1-1"])
    func preparedStatements(version: String) throws {
        let cluster = try Sample.cluster(
            Sample.text(Sample.variables + ["pgbouncer_max_prepared_statements: 1024"]))
        let resources = try cluster.pgbouncer(on: cluster.configuration.members[0].host)
        let found = resources.compactMap { ($0 as? Declared)?.resource as? PgBouncerFile }.first
        let file = try #require(found)
        var facts = Facts()
        facts.record(.init(version: version), to: PackageStatus("pgbouncer"))
        for question in file.questions {
            if let status = question as? FileStatus { facts.record(nil, to: status) }
            if let content = question as? FileContent { facts.record(.absent, to: content) }
        }
        func scripts(_ resource: any Resource) throws -> [String] {
            try resource.changes(given: facts, after: PendingEffects()).map(\.script.description)
        }
        let isAble = version != "1.18.0-1"
        #expect(try scripts(file) == scripts(isAble ? file.able : file.unable))
        #expect(try scripts(file.able) != scripts(file.unable))
        #expect(try file.notices(given: facts).isEmpty == isAble)
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

    @Test("of Patroni: messages in files, and commands of the inventory's own")
    func hooks() throws {
        let text = try content(
            of: "/etc/patroni/config.yml",
            [
                "patroni_log_destination: logfile", "patroni_log_dir: /var/log/ha", "patroni_log_file_num: 2",
                "patroni_log_max_queue_size: 500",
                "patroni_callbacks: [{ action: on_role_change, script: /usr/local/bin/notify --all }, "
                    + "{ action: on_stop, script: '' }]",
                "patroni_pre_promote: /usr/local/bin/fence", "patroni_before_stop: /usr/local/bin/drain now",
            ])
        #expect(
            text.contains(
                "\nlog:\n  max_queue_size: 500\n  dir: /var/log/ha\n  file_num: 2\n  file_size: 25000000\n\nrestapi:\n")
        )
        #expect(
            text.contains(
                """
                  callbacks:
                    on_role_change: '/usr/local/bin/notify --all'
                  pre_promote: '/usr/local/bin/fence'
                  before_stop: '/usr/local/bin/drain now'
                  create_replica_methods:

                """))
    }

    @Test(
        "of Patroni that are wrong",
        arguments: [
            ("patroni_callbacks: [{ action: on_rolechange, script: /x }]", "did you mean 'on_role_change'?"),
            ("patroni_callbacks: [{ action: on_stop, script: notify }]", "'notify' is no command of patroni_callbacks"),
            (
                "patroni_callbacks: [{ action: on_stop, script: /a }, { action: on_stop, script: /b }]",
                "'on_stop' is there twice"
            ),
            ("patroni_pre_promote: x", "'x' is no command of patroni_pre_promote"),
            ("patroni_log_destination: file", "unknown value 'file'"),
            ("patroni_log_dir: /etc", "'/etc' is no directory of logs; choose one below /var/log/"),
            ("patroni_log_file_size: 10", "patroni_log_file_size 10 is too little; write 65536 or more"),
        ])
    func wrongPatroni(line: String, expected: String) throws {
        let fault = #expect(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + [line]))
        }
        #expect("\(try #require(fault))".contains(expected))
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
