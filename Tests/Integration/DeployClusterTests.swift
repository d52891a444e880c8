import Foundation
import Testing

/// The life of one cluster, from empty hosts to its refusals. The tests stand in the order of that life.
@Suite("deploy-cluster", .serialized, .lab(of: 3))
struct DeployClusterTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    // MARK: A new cluster

    @Test("plan shows every file and unit, and touches nothing")
    func planTouchesNothing() async throws {
        let before = try await files()
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--detailed-exitcode")
        #expect(plan.status == 2, "\(plan.everything)")
        for expected in [
            "write /etc/haproxy/haproxy.cfg  pg1 pg2 pg3", "+listen leader", "start etcd  pg1 pg2 pg3",
            "write /etc/patroni/config.yml  pg1", "create role app  pg1", "start keepalived  pg1 pg2 pg3",
        ] {
            #expect(plan.output.contains(expected), "\(plan.output)")
        }
        for secret in secrets {
            #expect(!plan.everything.contains(secret))
        }
        #expect(try await files() == before)
    }

    /// The passwords of the lab's inventory.
    private var secrets: [String] { ["superuser", "replication", "pooler", "app"].map(lab.password) }

    @Test("apply makes the cluster of what the plan said, SQL goes through the address, and no secret is seen anywhere")
    func deploy() async throws {
        let (report, saved) = ("\(lab.folder)/report.html", "\(lab.folder)/plan.json")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "-o", saved)
        #expect(plan.status == 0)
        // Nothing of the packages is secret, and to trace their installation would take minutes.
        let packages = try await lab.apply(nil, "--tags", "packages")
        try #require(packages.status == 0, "\(packages.everything)")
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab, whole: true)
        let (result, found, sweeps) = try await SecretWatch.watching(for: secrets) {
            try await lab.apply(nil, "--report", report)
        }
        let programs = try await trace.endWhole()
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        #expect(sweeps > 20)
        #expect(programs.contains("execve(\"/usr/bin/systemctl\", [\"systemctl\", \"start\", \"patroni.service\"]"))
        let emitted = [
            ("output", result.everything), ("report", try String(contentsOfFile: report, encoding: .utf8)),
            ("plan", try String(contentsOfFile: saved, encoding: .utf8)), ("programs of pg1", programs),
        ]
        for (what, text) in emitted {
            for secret in secrets { #expect(!text.contains(secret), "\(secret) in the \(what)") }
        }
        for host in hosts {
            let patterns = secrets.map { "-e \($0)" }.joined(separator: " ")
            let left = try await lab.must(
                on: host,
                """
                { grep -rlF \(patterns) /var/lib/drover /run/drover /var/log --exclude-dir=kept; true; }
                journalctl --no-pager | grep -F \(patterns); true
                find /var/lib/drover -mindepth 1 -perm /077 ! -path '*/runs/*/*'
                find /var/lib/drover/runs -maxdepth 1 -perm /077
                """)
            #expect(left == "", "\(host)")
        }
        let planned = Steps.planned(in: plan.output)
        let applied = Steps.applied(in: packages.output).union(Steps.applied(in: result.output))
        #expect(applied.count > 60)
        #expect(result.output.linesOfOutput.filter { $0.hasSuffix("  failed=0  skipped=0") }.count == 3)
        #expect(applied.isSubset(of: planned), "\(applied.subtracting(planned))")

        try await sql("CREATE TABLE notes (text text)")
        try await sql("INSERT INTO notes VALUES ('written through the address')")
        try await lab.eventually("nothing to complain about") { $0.findings.isEmpty }
        let read = try await sql("SELECT text, pg_is_in_recovery() FROM notes", port: 5001)
        #expect(read == "written through the address|t\n")
    }

    // MARK: A second run

    @Test("apply a second time changes nothing, restarts nothing, and is quick")
    func secondRun() async throws {
        let before = try await startTimes()
        let clock = ContinuousClock()
        var durations: [Duration] = []
        for _ in 1...3 {
            let start = clock.now
            let result = try await lab.apply()
            durations.append(clock.now - start)
            #expect(result.status == 0, "\(result.everything)")
            expectNothingChanged(result)
        }
        // Another lab is at work beside this one, which makes a run longer, but none of three is quicker than it is.
        #expect(try #require(durations.min()) < .seconds(3), "\(durations)")
        #expect(try await startTimes() == before)
    }

    @Test("a converged host costs one connection, few exchanges, bytes and programs")
    func costs() async throws {
        let trace = try await ProgramTrace.begin(on: "pg2", in: lab)
        let result = try await lab.apply(nil, "--stats")
        let programs = try await trace.end()
        expectNothingChanged(result)
        let line = try #require(result.output.linesOfOutput.last { $0.hasPrefix("pg2  connections=") })
        let counts = Dictionary(
            uniqueKeysWithValues: line.split(separator: " ").dropFirst().map { word in
                let parts = word.split(separator: "=")
                return (String(parts[0]), Int(parts[1]) ?? .max)
            })
        #expect(counts["connections"] == 1)
        #expect(try #require(counts["exchanges"]) <= 3)
        #expect(try #require(counts["sent"]) < 64 * 1024)
        #expect(programs.count > 5)
        // Two of them read the public keys, three Patroni's file anew: what is in it was made of the host's memory.
        #expect(programs.count < 24, "\(programs)")
    }

    // MARK: Health

    @Test("status tells what is bad for the cluster, the worst first, and exits with 2 when it is asked to")
    func health() async throws {
        let leader = try #require(try await lab.status().leader)
        func sql(_ statements: String...) async throws {
            let words = statements.map { "-c \"\($0)\"" }.joined(separator: " ")
            try await lab.must(
                on: leader,
                "cd /; runuser -u postgres -- psql -h /var/run/postgresql -v ON_ERROR_STOP=1 -qAt \(words) app")
        }
        try await sql(
            "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET synchronous_standby_names = '*'",
            "SELECT pg_reload_conf()", "CREATE SEQUENCE small AS smallint", "SELECT setval('small', 30000)")
        let found = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(found.status == 2, "\(found.everything)")
        for finding in [
            "critical  fsync is off on \(leader): a host that loses its power loses the database",
            "critical  92 % of the numbers of the sequence app.public.small are used up",
            "warning   synchronous_standby_names is '*' on \(leader)",
        ] {
            #expect(found.output.contains(finding), "\(found.output)")
        }
        try await sql(
            "ALTER SYSTEM RESET fsync", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()",
            "DROP SEQUENCE small")
        try await lab.eventually("nothing to complain about") { $0.findings.isEmpty }
        let well = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(well.status == 0, "\(well.everything)")
    }

    // MARK: A change

    @Test("what databases have in them is made, drifts, and is repaired; a rule lets nobody else in")
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

        // The default privilege of the lab's inventory is there for what the owner makes.
        try await sql("CREATE TABLE IF NOT EXISTS sold (what text); REVOKE INSERT ON sold FROM readers")
        let leader = try #require(try await lab.status().leader)
        try await lab.must(on: leader, "cd / && runuser -u postgres -- psql -qc 'DROP EXTENSION hstore' app")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", changed)
        #expect(
            Steps.planned(in: plan.output).map { $0.split(separator: ": ")[1] }.sorted() == [
                "create extension hstore in app",
                "grant SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER on all tables of public in app for readers",
            ], "\(plan.output)")
        let repair = try await lab.apply(changed)
        #expect(repair.status == 0, "\(repair.everything)")
        #expect(try await sql("SELECT has_table_privilege('readers', 'sold', 'INSERT')") == "t\n")
        expectNothingChanged(try await lab.apply(changed))
        #expect(try await lab.apply().status == 0)
    }

    @Test("one changed value reloads only what reads it, and no connection is dropped")
    func oneValue() async throws {
        let changed = try lab.inventory(replacing: [("haproxy_maxconn: 4000", "haproxy_maxconn: 3900")])
        let starts = try await startTimes()
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
        #expect(try await startTimes() == starts)
        let backends = try await session.linesOfOutput
        #expect(backends.count == 31)
        #expect(Set(backends).count == 1, "the session was served by one backend throughout")
        expectNothingChanged(try await lab.apply(changed))
        expectNothingChanged(try await lab.apply(changed))
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
    }

    @Test("a parameter that all members share reaches a running cluster, and status says what waits for a restart")
    func sharedParameter() async throws {
        let option = "    - { option: max_replication_slots, value: 12 }\n"
        let changed = try lab.inventory(replacing: [("postgresql_parameters:\n", "postgresql_parameters:\n  " + option)]
        )
        let starts = try await startTimes()
        let result = try await lab.apply(changed)
        #expect(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("set max_replication_slots unset → 12 for all members"), "\(result.output)")
        expectNothingChanged(try await lab.apply(changed))
        #expect(try await startTimes() == starts)
        let finding = " has changed parameters that wait for a restart"
        try await lab.eventually("all wait for a restart") { status in
            status.findings.filter { $0.text.hasSuffix(finding) }.count == 3
        }
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml restart lab --pending --force")
        try await lab.eventually("nothing waits any more") { $0.findings.isEmpty }
        let show = "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SHOW max_replication_slots'"
        #expect(try await lab.must(on: "pg2", show) == "12\n")
        // What the inventory no longer names stays as it is.
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
    }

    @Test("what a daemon reads only when it starts restarts it, one host after the other")
    func restarts() async throws {
        let changed = try lab.inventory(
            replacing: [
                ("pgbouncer_max_client_conn: 4000", "pgbouncer_max_client_conn: 4000\n    pgbouncer_listen_port: 6433")
            ])
        for host in hosts { try await lab.must(on: host, "touch /etc/default/etcd") }
        let result = try await lab.apply(changed)
        #expect(result.status == 0, "\(result.everything)")
        let steps = Steps.applied(in: result.output)
        for host in hosts {
            #expect(steps.isSuperset(of: ["\(host): restart etcd", "\(host): restart pgbouncer"]), "\(result.output)")
        }
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply(changed))
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
        expectNothingChanged(try await lab.apply())
    }

    @Test("a cluster whose members are all stopped is started again, whoever will lead it")
    func everythingStopped() async throws {
        let leader = try #require(try await lab.status().leader)
        for host in hosts.filter({ $0 != leader }) + [leader] { try await lab.must(on: host, "systemctl stop patroni") }
        let result = try await lab.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    // MARK: Faults

    @Test("after the leader's host was lost and came back, apply still changes nothing")
    func failover() async throws {
        try await lab.fault("kill", "pg1")
        try await lab.eventually("another member leads") {
            $0.leader.map { $0 != "pg1" } ?? false
        }
        try await lab.fault("start", "pg1")
        try await lab.eventually("pg1 follows") { status in
            let timelines = Set(status.members.map(\.timeline))
            return status.findings.isEmpty && timelines.count == 1 && !timelines.contains(nil)
                && status.members.allSatisfy { $0.role == "leader" || $0.lag == 0 }
        }
        let result = try await lab.apply()
        expectNothingChanged(result)
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
    }

    @Test("a failed step ends the later plays, tells what happened, and the next run finishes the job")
    func failedStep() async throws {
        try await lab.must(
            on: "pg2", "systemctl stop haproxy; systemd-run --quiet --unit blocker python3 -m http.server 5000")
        try await lab.must(on: "pg3", "systemctl stop keepalived")
        try await lab.must(on: "pg2", "until curl -s -o /dev/null 127.0.0.1:5000; do sleep 0.1; done")
        let refused = try await lab.apply()
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.errors.contains("ports: pg2: python3 of blocker.service already listens at port 5000"))
        let result = try await lab.apply(nil, "--skip-preflight", "ports")
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.output.contains("✗ pg2: start haproxy"), "\(result.output)")
        #expect(result.output.contains("cannot bind socket (Address already in use)"), "\(result.output)")
        #expect(try await lab.shell(on: "pg3", "systemctl is-active keepalived").status != 0)

        try await lab.must(on: "pg2", "systemctl stop blocker")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        try await lab.must(on: "pg3", "systemctl is-active keepalived")
        expectNothingChanged(try await lab.apply())
    }

    @Test("waiting for what has failed ends early and quotes the journal")
    func failedCondition() async throws {
        let replica = try #require(try await lab.status().members.first { $0.role == "replica" }?.name)
        let file = "/var/lib/postgresql/15/main/postgresql.base.conf"
        try await lab.must(on: replica, "systemctl stop patroni; echo 'no_such_parameter = 1' >>\(file)")
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await lab.apply()
        #expect(clock.now - start < .seconds(120), "it would wait for an hour")
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.output.contains("✗ \(replica): wait until PostgreSQL leads or streams"), "\(result.output)")
        #expect(result.output.contains("no_such_parameter"), "\(result.output)")

        try await lab.must(on: replica, "systemctl stop patroni; sed -i /no_such_parameter/d \(file)")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await lab.apply())
    }

    @Test("another run on a host is told, and nothing is done: exit code 6")
    func locked() async throws {
        try await lab.must(on: "pg1", "systemd-run --quiet --unit holder flock /run/drover/lock sleep 600")
        try await lab.must(on: "pg1", "until ! flock -n /run/drover/lock true; do sleep 0.05; done")
        let result = try await lab.apply()
        #expect(result.status == 6, "\(result.everything)")
        try await lab.must(on: "pg1", "systemctl stop holder")
        expectNothingChanged(try await lab.apply())
    }

    @Test("a host that is cut off is named: exit code 4")
    func unreachable() async throws {
        try await lab.fault("cut", "pg3")
        let result = try await lab.apply()
        #expect(result.status == 4, "\(result.everything)")
        #expect(result.errors.contains("pg3: 10.70.0.13"), "\(result.errors)")
        #expect(!result.errors.contains("pg1:"), "\(result.errors)")
        try await lab.fault("join", "pg3")
        try await lab.eventually("the cluster is whole") { $0.findings.isEmpty }
    }

    // MARK: Logins

    @Test("a changed host key is fatal and shows both fingerprints: exit code 5")
    func hostKey() async throws {
        let known = try String(contentsOfFile: "\(lab.folder)/known_hosts", encoding: .utf8)
        let wrong = "\(lab.folder)/wrong_hosts"
        try known.replacing("10.70.0.12", with: "x").replacing("10.70.0.11", with: "10.70.0.12")
            .write(toFile: wrong, atomically: true, encoding: .utf8)
        let result = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--known-hosts", wrong)
        #expect(result.status == 5, "\(result.everything)")
        let complaint = try #require(result.errors.linesOfOutput.first { $0.contains("pg2: ") }, "\(result.errors)")
        #expect(complaint.split(separator: "SHA256:").count == 3, "\(complaint)")
    }

    @Test("a refused key is explained, and an RSA key more so: exit code 5", arguments: ["ed25519", "rsa"])
    func key(kind: String) async throws {
        let key = "\(lab.folder)/other_\(kind)"
        let made = try await Command.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", key])
        try #require(made.status == 0, "\(made.everything)")
        if kind == "rsa" {
            // The hosts know the RSA key; it is libssh2 that cannot use it.
            let line = try String(contentsOfFile: "\(key).pub", encoding: .utf8)
            for host in hosts { try await lab.must(on: host, "echo '\(line.trimmed)' >>/root/.ssh/authorized_keys") }
        }
        let inventory = try lab.inventory(replacing: [("\(lab.folder)/id_ed25519", key)])
        let result = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(result.status == 5, "\(result.everything)")
        #expect(result.errors.contains(key), "\(result.errors)")
        if kind == "rsa" {
            #expect(result.errors.contains("RSA"), "\(result.errors)")
            #expect(result.errors.contains("ssh-keygen -t ed25519"), "\(result.errors)")
        }
    }

    // MARK: What must not be touched

    @Test("a cluster of which the store knows nothing is refused: exit code 9")
    func partial() async throws {
        let leader = try #require(try await lab.status().leader)
        // The leader last: otherwise another member would take over meanwhile, and there would be two histories.
        for host in hosts.filter({ $0 != leader }) + [leader] { try await lab.must(on: host, "systemctl stop patroni") }
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) del --prefix /service/lab/")
        let before = try await startTimes()
        let result = try await lab.apply()
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("the cluster 'lab' exists only in parts"), "\(result.errors)")
        #expect(try await startTimes() == before)

        // The second remedy that the refusal names.
        try await lab.must(on: leader, "systemctl start patroni")
        try await lab.eventually("the old leader leads again") { $0.leader == leader }
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    @Test("a foreign database is refused: exit code 9")
    func foreign() async throws {
        let replica = try #require(try await lab.status().members.first { $0.role == "replica" }?.name)
        let data = "/var/lib/postgresql/15/main"
        try await lab.must(
            on: replica,
            """
            systemctl stop patroni && mv \(data) \(data).kept
            runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb -D \(data) >/dev/null
            """)
        let result = try await lab.apply()
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("what was found is not the cluster 'lab'"), "\(result.errors)")
        #expect(try await lab.shell(on: replica, "systemctl is-active patroni").status != 0)
        try await lab.must(on: replica, "rm -r \(data) && mv \(data).kept \(data)")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
    }

    // MARK: Looking at the hosts

    /// Every file with its size and its times, without what a login and the clock write.
    private func files() async throws -> [String] {
        var files: [String] = []
        for host in hosts {
            files += try await lab.must(
                on: host,
                """
                find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /dev -o -path /var/log \
                    -o -path /var/lib/systemd \\) -prune -o -printf '\(host) %p %y %s %T@ %C@\\n' | sort
                """
            ).linesOfOutput
        }
        return files
    }

    /// When each daemon was started.
    private func startTimes() async throws -> [String] {
        var times: [String] = []
        for host in hosts {
            times += try await lab.must(
                on: host,
                """
                for unit in etcd patroni pgbouncer haproxy keepalived; do
                    echo "\(host) $unit $(systemctl show -p ExecMainStartTimestampMonotonic --value $unit)"
                done
                """
            ).linesOfOutput
        }
        return times
    }

    /// Runs SQL as a client does: by password, through the address, to the leader or to a replica.
    @discardableResult
    private func sql(_ statement: String, port: Int = 5000) async throws -> String {
        try await lab.must(
            on: "pg2",
            "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p \(port) -U app app -XAtq -c \"\(statement)\"")
    }
}
