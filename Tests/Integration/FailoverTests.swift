import Foundation
import Subprocess
import Testing

/// What clients notice of a cluster in synchronous mode whose leader is handed over, killed and cut off. One of them writes
/// through the address all the time; it stands on pg3, which never leads.
@Suite("Failover", .serialized, .lab(of: 3, isPrepared: true))
struct FailoverTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]
    /// Seconds, as short as Patroni allows. When the member of etcd that led goes with the leader, the next one begins the
    /// lock's time anew: it has lived for up to two seconds more. Then the others look, promote, and HAProxy sees it.
    private let ttl = 15
    private let loopWait = 9
    /// How often each fault happens.
    private let repetitions = ProcessInfo.processInfo.environment["DROVER_REPETITIONS"].flatMap(Int.init) ?? 1

    @Test("a cluster in synchronous mode is made, and a client begins to write")
    func deploy() async throws {
        let result = try await lab.apply(try inventory())
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(try inventory()))
        try await startClient()
    }

    // MARK: What is planned

    @Test("who may not lead is refused: exit code 9; a wrong name is told before any contact: exit code 1")
    func refusals() async throws {
        let refused = try await switchover("--to", "pg3")
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.errors.contains("pg3 has the tag nofailover"), "\(refused.errors)")
        let wrong = try await switchover("--to", "pg4")
        #expect(wrong.status == 1, "\(wrong.everything)")
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml pause --wait lab")
        let paused = try await switchover("--to", "pg2")
        #expect(paused.status == 9, "\(paused.everything)")
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml resume --wait lab")
    }

    @Test("a switchover fails no statement, also when it is killed in the middle; again, nothing changes")
    func plannedSwitchover() async throws {
        try await settled()
        expectNothingChanged(try await switchover("--to", "pg1"))
        let plan = try await lab.drover("plan", "switchover", "--to", "pg2", "-i", try inventory())
        let result = try await switchover("--to", "pg2")
        #expect(result.status == 0, "\(result.everything)")
        // There may have been a checkpoint just before.
        let steps = Steps.applied(in: result.output).subtracting(["pg1: make a checkpoint"])
        #expect(steps.isSubset(of: Steps.planned(in: plan.output)), "\(result.output)")
        expectNothingChanged(try await switchover("--to", "pg2"))
        #expect(try await lab.status(inventory()).leader == "pg2")

        // Without a name the member of the group 'master' leads.
        let command = lab.inside(Drover.program) + ["apply", "switchover", "-i", try inventory(), "--yes"]
        let killed = try await RunningProgram.run(command) { line, program in
            if line.contains("✓ pg2: pause PgBouncer") { try program.send(.kill) }
        }
        #expect(killed.status == 137, "\(killed.everything)")
        let again = try await switchover()
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await switchover())
        #expect(try await lab.status(inventory()).leader == "pg1")
        try await expectNoFailedStatement()
        expectNothingChanged(try await lab.apply(try inventory()))
    }

    @Test("a smaller limit gets in force without a pending restart or a failed statement; a reload restarts nothing")
    func parameters() async throws {
        try await settled()
        let smaller = try inventory(parameters: "max_connections: 150", name: "smaller")
        let result = try await lab.apply(smaller, "--restart", "rolling")
        #expect(result.status == 0, "\(result.everything)")
        let order = result.output.linesOfOutput.filter { $0.contains("✓") && $0.contains(": restart PostgreSQL") }
        #expect(order.first?.contains("pg1") == true && order.count == 3, "the leader first: \(order)")
        expectNothingChanged(try await lab.apply(smaller, "--restart", "rolling"))
        for host in hosts {
            #expect(try await show("max_connections", on: host) == "150\n")
            #expect(!(try await lab.must(on: host, lab.patroni(of: host))).contains("pending"))
        }
        let starts = try await serverStarts()
        let reloaded = try await lab.apply(
            try inventory(parameters: "max_connections: 150, work_mem: 5MB", name: "reloaded"), "--restart", "rolling")
        #expect(reloaded.status == 0, "\(reloaded.everything)")
        for host in hosts {
            try await lab.must(on: host, "until \(shown("work_mem")) | grep -qx 5MB; do sleep 0.1; done")
        }
        #expect(try await serverStarts() == starts)
        try await expectNoFailedStatement()

        // A larger one: the replicas first, then another member leads.
        let larger = try await lab.apply(try inventory(), "--restart", "rolling")
        #expect(larger.status == 0, "\(larger.everything)")
        #expect(larger.output.contains("switch over from pg1 to pg2"), "\(larger.output)")
        #expect(try await show("max_connections", on: "pg1") == "200\n")
        try await expectNoFailedStatement()
    }

    // MARK: What is not

    @Test("a leader without its pooler gets no clients within 10 s")
    func pooler() async throws {
        try await settled()
        let leader = try await self.leader()
        let start = ContinuousClock.now
        try await lab.must(on: leader, "systemctl kill --signal=KILL pgbouncer")
        for host in hosts {
            try await lab.must(
                on: host,
                "until curl -s '127.0.0.1:7000/;csv' | grep -q '^leader,\(leader),.*,DOWN'; do sleep 0.1; done")
        }
        let duration = ContinuousClock.now - start
        #expect(duration < .seconds(10))
        report("pooler killed, out of use everywhere after", duration)
        try await lab.must(on: leader, "systemctl start pgbouncer")
    }

    @Test("the address leaves a balancer whose workers hang")
    func balancer() async throws {
        try await settled()
        let holder = try #require(try await lab.status(inventory()).balancers.first(where: \.holdsAddress)?.name)
        let start = ContinuousClock.now
        try await lab.must(on: holder, "kill -STOP $(pgrep -P $(systemctl show -p MainPID --value haproxy))")
        try await lab.must(on: holder, "while ip -4 address show | grep -q 10.70.0.100/; do sleep 0.1; done")
        let duration = ContinuousClock.now - start
        #expect(duration < .seconds(15))
        report("workers of HAProxy stopped, address gone after", duration)
        try await lab.must(on: holder, "kill -CONT $(pgrep -P $(systemctl show -p MainPID --value haproxy))")
        try await writesAgain(after: try await acknowledged())
    }

    @Test("a killed postmaster costs no acknowledged row")
    func postmaster() async throws {
        for _ in 1...repetitions {
            try await settled()
            try await outage("postmaster killed") {
                let file = "/var/lib/postgresql/15/main/postmaster.pid"
                try await lab.must(on: try await leader(), "kill -KILL $(head -n 1 \(file))")
            }
        }
    }

    @Test("a leader that loses its power costs no acknowledged row")
    func power() async throws {
        for _ in 1...repetitions {
            try await settled()
            let leader = try await self.leader()
            try await outage("host killed") { try await lab.fault("kill", leader) }
            try await lab.fault("start", leader)
        }
    }

    @Test("while the leader is cut off, at no time do two members accept writes, and no acknowledged row is lost")
    func cable() async throws {
        for _ in 1...repetitions {
            try await settled()
            let leader = try await self.leader()
            try await writeAlone(on: leader)
            let count = try await acknowledged()
            let timeline = try await lab.must(on: "pg3", "tail -n 1 /tmp/times | cut -d ' ' -f 2")
            try await outage("cable cut") { try await lab.fault("cut", leader) }
            let first = try await lab.must(
                on: "pg3",
                "tail -n +\(count) /tmp/times | grep -v ' \(timeline.prefix { !$0.isNewline })$' | head -n 1 | cut -d ' ' -f 1"
            )
            try await lab.fault("join", leader)
            let last = try await lab.must(on: leader, "systemctl stop alone; tail -n 1 /tmp/alone")
            let (alone, together) = (try #require(seconds(last)), try #require(seconds(first)))
            #expect(alone < together, "the one that was cut off has written last, and the new leader first")
            report("the new leader began to write after the last write of the old one by", .seconds(together - alone))
        }
    }

    @Test("afterwards nothing is to be changed, and every acknowledged row is there")
    func afterwards() async throws {
        try await settled()
        expectNothingChanged(try await lab.apply(try inventory()))
        try await lab.must(on: "pg3", "touch /tmp/stop; while systemctl is-active --quiet client; do sleep 0.1; done")
        try await expectEveryRow()
    }

    // MARK: What the tests do and look at

    private func inventory(parameters: String = "max_connections: 200", name: String = "failover") throws -> String {
        var text = try String(contentsOfFile: lab.inventory, encoding: .utf8)
        let list = parameters.split(separator: ", ").map { parameter in
            "      - { option: \(parameter.replacing(": ", with: ", value: ")) }\n"
        }
        for (old, new) in [
            ("      - { option: max_connections, value: 200 }\n", list.joined()),
            (
                "    cluster_vip:",
                "    synchronous_mode: true\n    patroni_preset: fast\n    patroni_ttl: \(ttl)\n"
                    + "    patroni_loop_wait: \(loopWait)\n    patroni_retry_timeout: 3\n    cluster_vip:"
            ),
            ("pg3: { ansible_host", "pg3: { patroni_tags: 'nofailover=true,nosync=true', ansible_host"),
        ] {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        let path = "\(lab.folder)/\(name).yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func switchover(_ options: String...) async throws -> Command {
        let words = ["apply", "switchover", "-i", try inventory(), "--yes"] + options
        return try await Command.run([Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words)
    }

    private func leader() async throws -> String { try #require(try await lab.status(inventory()).leader) }

    /// Waits until a failover would lose nothing, and the client writes.
    private func settled() async throws {
        try await lab.eventually("the cluster is whole", inventory: inventory()) { status in
            status.findings.isEmpty && status.members.contains { $0.role == "sync_standby" }
        }
        try await writesAgain(after: try await acknowledged())
    }

    /// A client that connects anew for each row. It notes when a row was acknowledged, and on which timeline it was written.
    private func startClient() async throws {
        try await lab.must(
            on: "pg3",
            #"""
            cat >/tmp/client.sh <<'END'
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            cd /tmp
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while [ ! -e /tmp/stop ]; do
                n=$((n + 1))
                if line=$(PGCONNECT_TIMEOUT=$(cat patience) timeout 30 psql -XAtqc "INSERT INTO rows VALUES ($n)
                    RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)" 2>&1)
                then echo $n >>/tmp/acknowledged; echo "$(date +%s.%N) $line" >>/tmp/times
                else echo "$(date +%T) $n $line" >>/tmp/failed; fi
            done
            END
            : >/tmp/failed; echo 30 >/tmp/patience
            systemd-run --quiet --unit client sh /tmp/client.sh
            until [ -s /tmp/acknowledged ]; do sleep 0.1; done
            """#)
    }

    private func acknowledged() async throws -> Int {
        try #require(Int(try await lab.must(on: "pg3", "wc -l </tmp/times").prefix { $0.isNumber }))
    }

    private func writesAgain(after count: Int) async throws {
        try await lab.must(on: "pg3", "until [ \"$(wc -l </tmp/times)\" -gt \(count) ]; do sleep 0.1; done")
    }

    /// Causes a fault, and waits until the client writes again: within the time that Patroni may take, and nothing is lost.
    private func outage(_ fault: String, _ body: () async throws -> Void) async throws {
        let before = try await acknowledged()
        try await lab.must(on: "pg3", "echo 2 >/tmp/patience")
        try await body()
        // What was on its way is acknowledged in spite of the fault, and the gap comes after it.
        let serves = try await lab.shell(
            on: "pg3",
            """
            begin=$(date +%s)
            until [ $(( $(date +%s) - begin )) -ge 3 ] && [ "$(tail -n 1 /tmp/times | cut -d . -f 1)" -ge $(( $(date +%s) - 1 )) ]
            do [ $(( $(date +%s) - begin )) -lt 120 ] || exit 1; sleep 0.2; done
            """)
        let account = serves.status == 0 ? "" : try await account()
        try #require(serves.status == 0, "\(fault): nobody can write any more\n\(account)")
        let gap = try await lab.must(
            on: "pg3",
            "tail -n +\(before) /tmp/times | awk '{ if (last && $1 - last > gap) gap = $1 - last; last = $1 } END { print gap }'"
        )
        let seconds = try #require(self.seconds(gap))
        report("\(fault), nothing acknowledged for", .seconds(seconds))
        #expect(seconds < Double(ttl + loopWait), "\(fault)")
        try await expectEveryRow()
        try await lab.must(on: "pg3", ": >/tmp/failed")
    }

    /// Writes on a member itself, past everything, and without waiting for a replica.
    private func writeAlone(on host: String) async throws {
        try await lab.must(
            on: host,
            #"""
            cat >/tmp/alone.sh <<'END'
            psql() { runuser -u postgres -- timeout 2 /usr/lib/postgresql/15/bin/psql -XAtq -h /var/run/postgresql postgres -c "$1"; }
            psql 'CREATE TABLE IF NOT EXISTS alone (n int)'
            while :; do
                psql "SET synchronous_commit = local; INSERT INTO alone VALUES (1)" && date +%s.%N >>/tmp/alone
            done
            END
            rm -f /tmp/alone; cd /tmp
            systemd-run --quiet --collect --unit alone sh /tmp/alone.sh
            until [ -s /tmp/alone ]; do sleep 0.1; done
            """#)
    }

    private func expectEveryRow() async throws {
        let missing = try await lab.must(
            on: "pg3",
            """
            cd /tmp; sort acknowledged >told
            PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtqc 'SELECT n FROM rows' | sort >rows
            comm -23 told rows
            """)
        if missing == "" { return }
        Issue.record("acknowledged rows are lost: \(missing.linesOfOutput)\n\(try await account())")
    }

    /// What the members that can be reached have to say about a failure.
    private func account() async throws -> String {
        var account = ""
        for host in hosts {
            account += try await lab.shell(
                on: host,
                """
                echo "\(host):"
                runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT pg_is_in_recovery(), count(*), max(n) FROM rows' app
                curl --silent --insecure --max-time 5 https://\(address(of: host)):8008/cluster
                journalctl --unit=patroni --no-pager --output=short-precise | grep -E '(INFO|WARNING|ERROR|LOG|FATAL):? ' |
                    grep -Ev 'no action|waiting for WAL' | tail -n 100
                """
            ).everything
        }
        return account
    }

    private func expectNoFailedStatement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await lab.must(on: "pg3", "cat /tmp/failed") == "", sourceLocation: sourceLocation)
    }

    private func shown(_ parameter: String) -> String {
        "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SHOW \(parameter)'"
    }

    private func show(_ parameter: String, on host: String) async throws -> String {
        try await lab.must(on: host, shown(parameter))
    }

    private func serverStarts() async throws -> [String] {
        var starts: [String] = []
        for host in hosts {
            starts.append(
                try await lab.must(
                    on: host,
                    "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT pg_postmaster_start_time()'"))
        }
        return starts
    }

    private func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }

    private func seconds(_ text: String) -> Double? { Double(text.filter { !$0.isNewline }) }

    /// What a person wants to know beyond that it held.
    private func report(_ what: String, _ duration: Duration) {
        print("failover: \(what) \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))")
    }
}
