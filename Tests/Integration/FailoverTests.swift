import Foundation
import Subprocess
import Testing

/// What clients notice of a cluster in synchronous mode whose leader is handed over, killed and cut off. One of them writes
/// through the address all the time; it stands on pg3, which never leads.
@Suite("Failover", .serialized, .lab(of: 3, isPrepared: true))
struct FailoverTests {
    /// Seconds. When the member of etcd that led goes with the leader, the next one begins the lock's time anew: it has lived
    /// for up to two seconds more. Then the others look, promote, and HAProxy sees it.
    let ttl = 24
    let loopWait = 10
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
        try await useAnotherDatabase()
        let result = try await lab.apply(smaller, "--restart", "rolling")
        #expect(result.status == 0, "\(result.everything)")
        let order = result.output.linesOfOutput.filter { $0.contains("✓") && $0.contains(": restart PostgreSQL") }
        #expect(order.first?.contains("pg1") == true && order.count == 3, "the leader first: \(order)")
        try await useAnotherDatabase()
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
        try await lab.must(
            on: leader,
            """
            mkdir /run/systemd/system/pgbouncer.service.d
            printf '[Service]\nRestart=no\n' >/run/systemd/system/pgbouncer.service.d/no-restart.conf
            systemctl daemon-reload
            systemctl kill --signal=KILL pgbouncer
            """)
        for host in hosts {
            try await lab.must(
                on: host,
                "until curl -s '127.0.0.1:7000/;csv' | grep -q '^leader,\(leader),.*,DOWN'; do sleep 0.1; done")
        }
        let duration = ContinuousClock.now - start
        #expect(duration < .seconds(10))
        report("pooler killed, out of use everywhere after", duration)
        let relief = try await switchover("--to", leader == "pg1" ? "pg2" : "pg1")
        if relief.status == 0 { try await writesAgain(after: try await acknowledged()) }
        try await lab.must(
            on: leader,
            """
            rm -r /run/systemd/system/pgbouncer.service.d
            systemctl daemon-reload
            systemctl start pgbouncer
            """)
        #expect(relief.status == 0, "\(relief.everything)")
    }

    @Test("a pooler and a keepalived that are killed come back by themselves, and two hosts never keep the address")
    func killed() async throws {
        try await settled()
        let killing = "kill -KILL $(systemctl show -P MainPID"
        let leader = try await self.leader()
        let starts = "$(systemctl show -P NRestarts pgbouncer)"
        // What a handover leaves for the time of a pause, which ends with the process.
        let paused = "/run/drover-pooler-is-paused"
        try await lab.must(
            on: leader,
            """
            before=\(starts)
            : >\(paused)
            \(killing) pgbouncer)
            until [ "\(starts)" -gt "$before" ] && systemctl is-active -q pgbouncer; do sleep 0.1; done
            [ ! -e \(paused) ]
            """)
        try await writesAgain(after: try await acknowledged())

        let holder = try #require(try await lab.status(inventory()).balancers.first(where: \.holdsAddress)?.name)
        try await lab.must(
            on: holder, "\(killing) keepalived); while ip -4 address show | grep -q 10.70.0.100/; do sleep 0.1; done")
        try await lab.must(on: holder, "until systemctl is-active -q keepalived; do sleep 0.1; done")
        try await writesAgain(after: try await acknowledged())
        #expect(try await lab.status(inventory()).balancers.filter(\.holdsAddress).count == 1)
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
            let before = try #require(Int(timeline.prefix { !$0.isNewline }, radix: 16))
            let alone = try await lastAlone(on: leader, upTo: before)
            let together = try #require(seconds(first))
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
}
