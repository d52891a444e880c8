import Foundation
import Testing

extension LabSnapshot {
    /// A cluster in synchronous mode with short timers. pg3 never leads, so a client there survives each fault of the leader.
    static let synchronous: LabSnapshot = .init(
        "failover",
        edits: [
            (
                "    cluster_vip:",
                """
                    synchronous_mode: true
                    patroni_preset: fast
                    patroni_ttl: \(FailoverTests.ttl)
                    patroni_loop_wait: \(FailoverTests.loopWait)
                    patroni_retry_timeout: 4
                    cluster_vip:
                """
            ), ("pg3: { ansible_host", "pg3: { patroni_tags: 'nofailover=true,nosync=true', ansible_host"),
        ])
}

/// What a client of a cluster in synchronous mode notices when the leader fails. It writes through the VIP all the
/// time.
@Suite("Failover", .lab(from: .synchronous))
struct FailoverTests: FailoverClient {
    /// Seconds. If the leader of etcd goes down with Patroni's, the next one restarts the time of the lock, up to two seconds
    /// later. Then the other members look, promote, and HAProxy notices.
    static let ttl = 24
    static let loopWait = 10
    /// How often each fault happens.
    private let repetitions = ProcessInfo.processInfo.environment["DROVER_REPETITIONS"].flatMap(Int.init) ?? 1

    @Test("a leader without PgBouncer gets no clients within 10 s")
    func pooler() async throws {
        try await startClient()
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
        try #require(relief.status == 0, "\(relief.everything)")
        try await writesAgain(after: try await acknowledged())
        try await expectEveryRow()
    }

    @Test("PgBouncer and keepalived restart after a kill, and two hosts never hold the VIP")
    func killed() async throws {
        try await startClient()
        try await settled()
        let killing = "kill -KILL $(systemctl show -P MainPID"
        let leader = try await self.leader()
        let starts = "$(systemctl show -P NRestarts pgbouncer)"
        // A switchover leaves this file while PgBouncer is paused. The pause ends with the process.
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

        let holder = try #require(try await lab.status().balancers.first(where: \.holdsAddress)?.name)
        try await lab.must(
            on: holder, "\(killing) keepalived); while ip -4 address show | grep -q 10.70.0.100/; do sleep 0.1; done")
        try await lab.must(on: holder, "until systemctl is-active -q keepalived; do sleep 0.1; done")
        try await writesAgain(after: try await acknowledged())
        #expect(try await lab.status().balancers.filter(\.holdsAddress).count == 1)
        try await expectWhole()
    }

    @Test("the VIP leaves a balancer whose HAProxy workers hang")
    func balancer() async throws {
        try await startClient()
        try await settled()
        let holder = try #require(try await lab.status().balancers.first(where: \.holdsAddress)?.name)
        let start = ContinuousClock.now
        try await lab.must(on: holder, "kill -STOP $(pgrep -P $(systemctl show -p MainPID --value haproxy))")
        try await lab.must(on: holder, "while ip -4 address show | grep -q 10.70.0.100/; do sleep 0.1; done")
        let duration = ContinuousClock.now - start
        #expect(duration < .seconds(15))
        report("workers of HAProxy stopped, VIP gone after", duration)
        try await lab.must(on: holder, "kill -CONT $(pgrep -P $(systemctl show -p MainPID --value haproxy))")
        try await writesAgain(after: try await acknowledged())
        try await expectWhole()
    }

    @Test("a killed postmaster loses no acknowledged row")
    func postmaster() async throws {
        try await startClient()
        for _ in 1...repetitions {
            try await settled()
            try await outage("postmaster killed") {
                let file = "/var/lib/postgresql/15/main/postmaster.pid"
                try await lab.must(on: try await leader(), "kill -KILL $(head -n 1 \(file))")
            }
        }
        try await expectStory("crashed: its main process ended unexpectedly")
        try await expectWhole()
    }

    @Test("a leader that loses its power loses no acknowledged row")
    func power() async throws {
        try await startClient()
        for _ in 1...repetitions {
            try await settled()
            let leader = try await self.leader()
            try await outage("host killed") { try await lab.fault("kill", leader) }
            try await lab.fault("start", leader)
            try await expectStory("\(leader) was down since ")
        }
        try await expectWhole()
    }

    @Test("two members never accept writes while the leader is disconnected, and no acknowledged row is lost")
    func cable() async throws {
        try await startClient()
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
            try await expectStory("Patroni on \(leader) could not reach etcd")
            let before = try #require(Int(timeline.prefix { !$0.isNewline }, radix: 16))
            let alone = try await lastAlone(on: leader, upTo: before)
            let together = try #require(seconds(first))
            #expect(alone < together, "the last write of the former leader precedes the first one of the new leader")
            report("the new leader began to write after the last write of the old one by", .seconds(together - alone))
        }
        try await expectWhole()
    }

    /// Expects that `drover explain` tells a cause of the last change of the leader.
    private func expectStory(_ cause: String) async throws {
        let story = try await lab.drover("explain", "-i", lab.inventory)
        #expect(story.status == 0 && story.output.contains(cause), "\(story.everything)")
    }

    /// Causes a fault, and expects that the client writes again within the time that Patroni may take and loses no row.
    private func outage(_ fault: String, _ body: () async throws -> Void) async throws {
        let before = try await acknowledged()
        try await lab.must(on: "pg3", "echo 2 >/tmp/patience")
        try await body()
        // The server may still acknowledge a row after the fault. The gap comes after it.
        let serves = try await lab.shell(
            on: "pg3",
            """
            begin=$(date +%s)
            until [ $(( $(date +%s) - begin )) -ge 3 ] && [ "$(tail -n 1 /tmp/times | cut -d . -f 1)" -ge $(( $(date +%s) - 1 )) ]
            do [ $(( $(date +%s) - begin )) -lt 120 ] || exit 1; sleep 0.2; done
            """)
        let account = serves.status == 0 ? "" : try await account()
        try #require(serves.status == 0, "\(fault): the client cannot write any more\n\(account)")
        let gap = try await lab.must(
            on: "pg3",
            "tail -n +\(before) /tmp/times | awk '{ if (last && $1 - last > gap) gap = $1 - last; last = $1 } END { print gap }'"
        )
        let seconds = try #require(self.seconds(gap))
        report("\(fault), nothing acknowledged for", .seconds(seconds))
        #expect(seconds < Double(Self.ttl + Self.loopWait), "\(fault)")
        try await expectEveryRow()
    }
}
