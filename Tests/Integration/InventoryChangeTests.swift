import Testing

/// A cluster whose inventory changes.
@Suite("A changed inventory", .lab(from: .deployed))
struct InventoryChangeTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    @Test("apply creates the content of databases and repairs it; an access rule admits only its role")
    func content() async throws {
        let changed = try lab.inventory(replacing: [
            (
                "    postgresql_extensions:\n",
                """
                    postgresql_schemas:
                      - { schema: sales, db: app, owner: app }
                    postgresql_pg_hba:
                      - { type: host, database: app, user: app, address: 10.70.0.0/24, method: scram-sha-256 }
                    postgresql_extensions:
                      - { ext: hstore, db: app, schema: sales }

                """
            ),
            (
                "    postgresql_privs:\n",
                """
                    postgresql_privs:
                      - { role: readers, privs: USAGE, type: schema, objs: sales, db: app }
                      - { role: readers, privs: ALL, objs: ALL_IN_SCHEMA, schema: public, db: app }

                """
            ),
        ])
        let first = try await lab.apply(changed)
        try #require(first.status == 0, "\(first.everything)")
        expectNothingChanged(try await lab.apply(changed))
        let direct = "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.12 -p 5432 -U app -XAtqc 'SELECT 1'"
        let (allowed, refused) = (
            try await lab.shell(on: "pg1", "\(direct) app"), try await lab.shell(on: "pg1", "\(direct) postgres")
        )
        #expect(allowed.output == "1\n")
        #expect(refused.status == 2)

        // The default privilege of the lab's inventory applies to what the owner creates.
        try await lab.appSQL("CREATE TABLE sold (what text); REVOKE INSERT ON sold FROM readers")
        try await lab.leaderSQL("DROP EXTENSION hstore;", in: "app")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", changed)
        #expect(
            Steps.planned(in: plan.output).map { $0.split(separator: ": ")[1] }.sorted() == [
                "create extension hstore in app",
                "grant SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER on all tables of public in app for readers",
            ], "\(plan.output)")
        let repair = try await lab.apply(changed)
        #expect(repair.status == 0, "\(repair.everything)")
        #expect(try await lab.appSQL("SELECT has_table_privilege('readers', 'sold', 'INSERT')") == "t\n")
        expectNothingChanged(try await lab.apply(changed))
    }

    @Test("one changed value reloads only its daemon, and no connection breaks")
    func oneValue() async throws {
        let changed = try lab.inventory(replacing: [("haproxy_maxconn: 4000", "haproxy_maxconn: 3900")])
        let starts = try await lab.startTimes(of: hosts)
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", changed)
        #expect(
            Steps.planned(in: plan.output)
                == Set(hosts.flatMap { ["\($0): write /etc/haproxy/haproxy.cfg", "\($0): reload haproxy"] }))
        #expect(plan.output.contains("-    maxconn 4000\n"))
        #expect(plan.output.contains("+    maxconn 3900\n"))

        try await lab.must(
            on: "pg2",
            """
            { echo 'SELECT pg_backend_pid();'; echo '\\! touch /tmp/connected'
              for i in $(seq 30); do echo 'SELECT pg_backend_pid() FROM pg_sleep(0.2);'; done; } >/tmp/session.sql
            """)
        async let session = lab.must(
            on: "pg2",
            "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtq -v ON_ERROR_STOP=1 -f /tmp/session.sql"
        )
        try await lab.must(on: "pg2", "until [ -e /tmp/connected ]; do sleep 0.05; done")
        let result = try await lab.apply(changed)
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await lab.startTimes(of: hosts) == starts)
        let backends = try await session.linesOfOutput
        #expect(backends.count == 31)
        #expect(Set(backends).count == 1, "the session was served by one backend throughout")
        expectNothingChanged(try await lab.apply(changed))
        expectNothingChanged(try await lab.apply(changed))
    }

    @Test("apply sets a parameter of all members in a running cluster, and status reports its pending restart")
    func sharedParameter() async throws {
        let option = "    - { option: max_replication_slots, value: 12 }\n"
        let changed = try lab.inventory(replacing: [("postgresql_parameters:\n", "postgresql_parameters:\n  " + option)]
        )
        let starts = try await lab.startTimes(of: hosts)
        let result = try await lab.apply(changed)
        #expect(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("set max_replication_slots unset → 12 for all members"), "\(result.output)")
        expectNothingChanged(try await lab.apply(changed))
        #expect(try await lab.startTimes(of: hosts) == starts)
        let finding = " has changed parameters that wait for a restart"
        try await lab.eventually("all wait for a restart") { status in
            status.findings.filter { $0.text.hasSuffix(finding) }.count == 3
        }
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml restart lab --pending --force")
        try await lab.eventually("nothing waits any more") { $0.findings.isEmpty }
        let show = "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SHOW max_replication_slots'"
        #expect(try await lab.must(on: "pg2", show) == "12\n")
        // A parameter that the inventory no longer names keeps its value.
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
    }

    @Test("a change that needs a restart restarts one host after the other")
    func restarts() async throws {
        let changed = try lab.inventory(
            replacing: [
                ("pgbouncer_max_client_conn: 4000", "pgbouncer_max_client_conn: 4000\n    pgbouncer_listen_port: 6433")
            ])
        try await lab.appSQL("CREATE TABLE notes AS SELECT 1 AS number")
        for host in hosts { try await lab.must(on: host, "touch /etc/default/etcd") }
        let result = try await lab.apply(changed)
        #expect(result.status == 0, "\(result.everything)")
        let steps = Steps.applied(in: result.output)
        for host in hosts {
            #expect(steps.isSuperset(of: ["\(host): restart etcd", "\(host): restart pgbouncer"]), "\(result.output)")
        }
        #expect(try await lab.appSQL("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply(changed))
    }
}
