import SystemResources
import Testing

@testable import PostgresCluster

@Suite("The story of a change of the leader")
struct LeaderStoryTests {
    private static let ready = "LOG:  database system is ready to accept connections"

    /// Messages of Patroni: the second of the minute, the member and the text. A unit stands before a slash.
    private static func entries(_ messages: [(second: Double, member: String, text: String)]) throws -> [LogEntry] {
        let minute = try Moment("2026-11-25 03:40Z")
        return messages.map { second, member, text in
            LogEntry(
                time: Moment(microseconds: minute.microseconds + Int(second * 1_000_000)), host: member,
                unit: "patroni",
                priority: 6, message: text)
        }
    }

    /// What pg2 tells when it takes the lead at second 31.
    private static let promotion: [(Double, String, String)] = [
        (31, "pg2", "INFO: promoted self to leader by acquiring session lock"),
        (31.2, "pg2", "LOG:  received promote request"), (31.3, "pg2", "LOG:  selected new timeline ID: 5"),
        (31.5, "pg2", ready),
    ]

    private static func story(
        _ messages: [(Double, String, String)], leader: String? = "pg2", target: String? = nil,
        unreachable: Set<String> = []
    ) throws -> LeaderStory {
        let minute = try Moment("2026-11-25 03:40Z")
        let before = LeaderChange(timeline: 4, time: try Moment("2026-11-20 00:00Z"), leader: "pg1", target: nil)
        let change = LeaderChange(timeline: 5, time: minute.adding(seconds: 31), leader: leader, target: target)
        return LeaderStory(
            of: change, after: before, from: try entries((messages + promotion).sorted { $0.0 < $1.0 }),
            unreachable: unreachable)
    }

    @Test("a change that the new leader has not written down yet is known from the members")
    func unwritten() throws {
        let now = try Moment("2026-11-25 03:41Z")
        let written = LeaderChange(timeline: 4, time: try Moment("2026-11-20 00:00Z"), leader: "pg1", target: nil)
        func changes(_ changes: [LeaderChange], _ members: (String, Int, Bool)...) -> [LeaderChange] {
            LeaderChanges.completed(
                changes, by: members.map { .init(member: $0, timeline: $1, isPrimary: $2) }, now: now)
        }
        let unwritten = LeaderChange(timeline: 5, time: now, leader: "pg2", target: nil)
        #expect(changes([written], ("pg1", 4, true), ("pg2", 4, false)) == [written])
        #expect(changes([written], ("pg1", 4, false), ("pg2", 5, true)) == [written, unwritten])
        #expect(changes([], ("pg2", 5, true)) == [unwritten])
        #expect(changes([], ("pg1", 1, true)) == [])
        #expect(changes([written], ("pg3", 5, false)).last?.leader == nil)
    }

    private static let leads = "INFO: no action. I am (pg1), the leader with the lock"

    @Test(
        "the cause, and for how long nobody could write",
        arguments: [
            (
                [
                    (2, "pg1", leads),
                    (3, "pg1", "INFO: received switchover request with leader=pg1 candidate=pg2 scheduled_at=None"),
                    (4, "pg1", "INFO: Demoting self (graceful)"), (4.1, "pg1", "LOG:  received fast shutdown request"),
                ], "somebody asked for a switchover to pg2", 27.5, true
            ),
            (
                [
                    (2, "pg1", leads), (3, "pg1", "LOG:  server process (PID 88) was terminated by signal 9: Killed"),
                    (4, "pg1", "INFO: Demoting self (immediate)"),
                ], "PostgreSQL on pg1 crashed: signal 9 ended one of its processes", 28.5, true
            ),
            (
                [
                    (2, "pg1", leads),
                    (21, "pg1", "Patroni has not run for 27.1 s, 27 s are allowed: stopping PostgreSQL"),
                    (21.1, "pg1", "LOG:  received immediate shutdown request"),
                ], "Patroni on pg1 did not run, and the fence stopped PostgreSQL", 10.5, true
            ),
            (
                [
                    (2, "pg1", leads),
                    (3, "pg1", "FATAL:  terminating connection due to unexpected postmaster exit"),
                ], "PostgreSQL on pg1 crashed: its main process ended unexpectedly", 28.5, true
            ),
            (
                [
                    (2, "pg1", leads),
                    (13, "pg1", "INFO: demoting self because DCS is not accessible and I was a leader"),
                    (13.1, "pg1", "INFO: Demoting self (offline)"), (14, "pg1", "LOG:  received fast shutdown request"),
                ], "Patroni on pg1 could not reach etcd", 18.4, true
            ),
            (
                [
                    (2, "pg1", leads), (3, "pg1", "Stopping patroni.service - Runners to orchestrate PostgreSQL..."),
                    (3.5, "pg1", "LOG:  received fast shutdown request"),
                ], "Patroni on pg1 was stopped", 28, true
            ),
            (
                [(2, "pg1", leads), (5, "pg1", "LOG:  received fast shutdown request")],
                "PostgreSQL on pg1 was stopped",
                26.5, true
            ),
            (
                [(2, "pg1", leads), (45, "pg1", "INFO: Lock owner: pg2; I am pg1")],
                "pg1 was paused since 2026-11-25 03:40:02 UTC, or had no processor time; it went on at 2026-11-25 03:40:45 UTC",
                29.5, false
            ),
            (
                [(2, "pg1", leads), (45, "pg1", "Started patroni.service - Runners to orchestrate PostgreSQL.")],
                "pg1 was down since 2026-11-25 03:40:02 UTC; it was started again at 2026-11-25 03:40:45 UTC", 29.5,
                false
            ),
            ([(2, "pg1", leads)], "pg1 has written no message since 2026-11-25 03:40:02 UTC", 29.5, false),
            (
                [(2, "pg1", leads), (8, "pg1", "INFO: something else")], "the messages do not tell the cause", 29.5,
                false
            ),
        ] as [([(Double, String, String)], String, Double, Bool)])
    func cause(messages: [(Double, String, String)], cause: String, outage: Double, isExact: Bool) throws {
        let story = try Self.story(messages)
        #expect(story.cause == cause)
        #expect(story.previous == "pg1")
        #expect(story.change.leader == "pg2")
        let found = try #require(story.outage)
        #expect(abs(found.seconds - outage) < 0.001 && found.isExact == isExact, "\(found)")
    }

    @Test("a member without messages is known from the others, or from the change before")
    func unreachable() throws {
        let followed = try Self.story(
            [
                (2, "pg3", "INFO: no action. I am (pg3), a secondary, and following a leader (pg9)"),
                (30, "pg3", "WARNING: Request failed to pg9: GET https://10.0.0.9:8008/patroni (timed out)"),
            ], unreachable: ["pg9"])
        #expect(followed.previous == "pg9")
        #expect(followed.cause == "the other members had lost pg9, which cannot be reached now either")
        #expect(followed.outage == nil)
        #expect(followed.events.map(\.text).first == "Patroni of pg9 does not answer")
        #expect(try Self.story([]).previous == "pg1")
    }

    @Test("a member that follows the new leader early does not hide the former one, nor does an earlier leader")
    func early() throws {
        let story = try Self.story([
            (0, "pg2", "INFO: no action. I am (pg2), the leader with the lock"),
            (20, "pg3", "INFO: no action. I am (pg3), a secondary, and following a leader (pg1)"),
            (30.9, "pg3", "INFO: no action. I am (pg3), a secondary, and following a leader (pg2)"),
        ])
        #expect(story.previous == "pg1")
        #expect(
            story.events.map(\.text).first == "Patroni promotes PostgreSQL", "what happened before is another story")
    }

    @Test("a server that is restarted in place has the same leader before and after")
    func inPlace() throws {
        let story = try Self.story([
            (2, "pg2", "INFO: no action. I am (pg2), the leader with the lock"),
            (3, "pg2", "PANIC:  could not write to file: No space left on device"),
            (20, "pg3", "INFO: no action. I am (pg3), a secondary, and following a leader (pg2)"),
        ])
        #expect(story.previous == "pg2")
        #expect(story.cause == "PostgreSQL on pg2 had no room on its disk")
    }

    @Test("a recovery to a target is no failure")
    func target() throws {
        let story = try Self.story([], target: "before 2026-11-25 03:00:00+00")
        #expect(story.cause == "the cluster was recovered to a target (before 2026-11-25 03:00:00+00)")
    }

    @Test("events in their order, each once, until the former leader has come back")
    func events() throws {
        let story = try Self.story([
            (1, "pg2", "INFO: no action. I am (pg2), a secondary, and following a leader (pg1)"),
            (2, "pg1", Self.leads),
            (3, "pg1", "Main process exited, code=killed, status=9/KILL"),
            (20, "pg2", "WARNING: Request failed to pg1: GET https://10.0.0.1:8008/patroni (refused)"),
            (30, "pg2", "WARNING: Request failed to pg1: GET https://10.0.0.1:8008/patroni (refused)"),
            (50, "pg1", "INFO: running pg_rewind from pg2"),
            (55, "pg1", "INFO: no action. I am (pg1), a secondary, and following a leader (pg2)"),
            (59, "pg1", "INFO: Demoting self (graceful)"),
        ])
        #expect(
            story.events.map { "\($0.member) \($0.text)" } == [
                "pg1 has the leader lock", "pg1 signal KILL ends Patroni", "pg2 Patroni of pg1 does not answer",
                "pg2 Patroni promotes PostgreSQL", "pg2 PostgreSQL begins timeline 5", "pg2 PostgreSQL accepts writes",
                "pg1 pg_rewind makes the data those of the new leader", "pg1 follows pg2",
            ])
        #expect(story.cause == "Patroni on pg1 was killed (KILL)")
    }

    @Test("Patroni's history, with and without the names of leaders")
    func history() throws {
        let changes = PatroniHistory.changes(
            .init(
                status: 200,
                body: """
                    [[1,25623960,"no recovery target specified","2026-11-24T20:00:00.5+00:00"],
                     [2,50331808,"before 2026-11-25 03:00:00+00","2026-11-25T03:40:00+00:00","pg2"],[3,1,"?"]]
                    """))
        #expect(
            changes == [
                LeaderChange(timeline: 2, time: try Moment("2026-11-24 20:00:00.5Z"), leader: nil, target: nil),
                LeaderChange(
                    timeline: 3, time: try Moment("2026-11-25 03:40Z"), leader: "pg2",
                    target: "before 2026-11-25 03:00:00+00"),
            ])
    }
}
