import Engine
import Testing

@testable import PostgresCluster

@Suite("Course of a recovery")
struct RecoveryCourseTests {
    private typealias Backup = PgBackRestInfo.Backup

    private static func moment(_ time: String) -> Moment { (try? Moment("2026-11-22 \(time)Z")) ?? Moment(seconds: 0) }

    private static func backup(_ label: String, complete time: String, timeline: Int = 1, end: String) -> Backup {
        let stop = moment(time).microseconds / 1_000_000
        return Backup(
            label: label, type: .full, timestamp: .init(start: stop - 5, stop: stop),
            archive: .init(start: "0000000\(timeline)0000000000000001", stop: nil), lsn: .init(start: nil, stop: end),
            info: .init(size: 1000, repository: .init(delta: 10)), error: false)
    }

    /// Backups A and B on timeline 1, which was left at 14:00 by a recovery to 13:00; C on timeline 2, which the cluster is on.
    private static let ground = RecoveryGround(
        backups: [
            backup("A", complete: "10:00:00", end: "0/1000"), backup("B", complete: "13:30:00", end: "0/3000"),
            backup("C", complete: "14:05:00", timeline: 2, end: "0/2800"),
        ],
        timelines: Timelines(
            branches: [
                2: [
                    .init(
                        timeline: 1, end: LogPosition(bytes: 0x2000), reason: "before 2026-11-22 13:00:00.5+00")
                ]
            ], current: 2),
        segments: [1: .init(first: "000000010000000000000001", last: "000000010000000000000009")],
        leader: .init(
            now: moment("15:00:00"), position: LogPosition(bytes: 0x9000), timeline: 2, nextTransaction: 900),
        begins: [2: moment("14:00:00")])

    private struct Row: Sendable {
        var what: String
        var target: RecoveryTarget
        var change: @Sendable (inout RecoveryGround) -> Void = { _ in }
        var backup: String?
        /// Those on which it is looked for.
        var timelines = [2]
        /// Of the reason, when it is refused.
        var reason: String?
        var remedy: String?
    }

    private static func time(_ time: String, timeline: Int? = nil, backup: String? = nil) -> RecoveryTarget {
        RecoveryTarget(.time(moment(time)), timeline: timeline, backup: backup)
    }

    private static func hit(_ timeline: Int, _ bytes: UInt64, aborted: Bool = false) -> LogSearch.Hit {
        LogSearch.Hit(timeline: timeline, position: LogPosition(bytes: bytes), time: nil, isAborted: aborted)
    }

    private static let name = RecoveryTarget(.name("n"))
    private static let transaction = RecoveryTarget(.transaction(7))

    private static let rows: [Row] = [
        Row(what: "before the fork", target: time("12:00:00"), backup: "A", timelines: [1, 2]),
        Row(what: "after it: not the abandoned backup", target: time("14:04:00"), backup: "A"),
        Row(what: "after the new backup", target: time("14:30:00"), backup: "C"),
        Row(what: "an older backup", target: time("14:30:00", backup: "A"), backup: "A"),
        Row(what: "on the abandoned timeline", target: time("13:45:00", timeline: 1), backup: "B", timelines: [1]),
        Row(
            what: "before the oldest backup", target: time("09:59:59"),
            reason: "is earlier than what the archive holds",
            remedy: "choose a moment after 2026-11-22 10:00:00 UTC and before 2026-11-22 15:00:00 UTC"),
        Row(what: "as the oldest backup ends", target: time("10:00:00"), reason: "is earlier than"),
        Row(what: "in the future", target: time("15:00:01"), reason: "is later than the end of the archive"),
        Row(
            what: "in the gap", target: time("13:30:00"), reason: "lies on timeline 1, which was left by a recovery",
            remedy: "say --target-timeline 1"),
        Row(
            what: "in the gap of a second recovery", target: time("14:30:00"),
            change: {
                $0.timelines.branches[3] = [
                    .init(timeline: 1, end: LogPosition(bytes: 0x1800), reason: "before 2026-11-22 12:00:00+00")
                ]
                $0.timelines.current = 3
                $0.begins[3] = moment("14:45:00")
            }, reason: "lies on timeline 2, which was left by a recovery to 2026-11-22 12:00:00",
            remedy: "say --target-timeline 2"),
        Row(what: "after the other timeline", target: time("14:10:00", timeline: 1), reason: "the end of timeline 1"),
        Row(
            what: "where only a backup tells of it", target: time("13:45:00"),
            change: { $0.timelines.branches[2]?[0].reason = "after LSN 0/2000" },
            reason: "lies on timeline 1, which does not lead to timeline 2", remedy: "say --target-timeline 1"),
        Row(what: "no such timeline", target: time("12:00:00", timeline: 9), reason: "there is no timeline 9"),
        Row(what: "no such backup", target: time("12:00:00", backup: "X"), reason: "there is no backup 'X'"),
        Row(
            what: "a backup of later", target: time("12:00:00", backup: "C"), reason: "the backup C does not lead to"),
        Row(
            what: "the archive fails", target: time("14:30:00"), change: { $0.archived = (true, moment("14:10:00")) },
            reason: "the leader fails to archive its log", remedy: "before 2026-11-22 14:10:00 UTC"),
        Row(
            what: "the archive fails, later", target: time("12:30:00"),
            change: { $0.archived = (true, moment("14:10:00")) },
            backup: "A", timelines: [1, 2]),
        Row(what: "nobody leads", target: time("20:00:00"), change: { $0.leader = nil }, backup: "C"),
        Row(
            what: "nobody leads any more", target: time("20:00:00"),
            change: {
                $0.leader = nil
                $0.ended = (nil, moment("15:00:00"))
            }, reason: "is later than the end of the archive"),
        Row(what: "no backup", target: time("12:00:00"), change: { $0.backups = [] }, reason: "no backup leads to"),
        Row(what: "a position", target: .init(.position(LogPosition(bytes: 0x1800))), backup: "A", timelines: [1]),
        Row(what: "a later position", target: .init(.position(LogPosition(bytes: 0x2900))), backup: "C"),
        Row(
            what: "a position too early", target: .init(.position(LogPosition(bytes: 0x900))), reason: "is earlier than"
        ),
        Row(
            what: "a position too late", target: .init(.position(LogPosition(bytes: 0x9001))),
            reason: "is behind the end"),
        Row(what: "a name", target: name, change: { $0.hits = [hit(2, 0x2900), hit(1, 0x1800)] }, backup: "C"),
        Row(
            what: "a name of before", target: name, change: { $0.hits = [hit(1, 0x1800)] }, backup: "A", timelines: [1]),
        Row(
            what: "a name elsewhere", target: name, change: { $0.hits = [hit(1, 0x2800)] },
            reason: "lies on timeline 1, at 0/2800", remedy: "say --target-timeline 1"),
        Row(
            what: "a name there", target: .init(.name("n"), timeline: 1), change: { $0.hits = [hit(1, 0x3800)] },
            backup: "B", timelines: [1]),
        Row(what: "an unknown name", target: name, change: { $0.hits = [] }, reason: "stands nowhere in the log"),
        Row(what: "a transaction", target: transaction, change: { $0.hits = [hit(2, 0x2100)] }, backup: "A"),
        Row(
            what: "one rolled back", target: transaction, change: { $0.hits = [hit(2, 0x2100, aborted: true)] },
            reason: "was rolled back"),
        Row(what: "the end of a backup", target: .init(.immediate, backup: "A"), backup: "A", timelines: [1]),
        Row(what: "the end of the newest", target: .init(.immediate), backup: "C"),
        Row(what: "everything", target: .init(.latest), backup: "C"),
    ]

    @Test("the backup and the timeline follow from the target", arguments: rows.indices)
    private func course(index: Int) throws {
        let row = Self.rows[index]
        var ground = Self.ground
        row.change(&ground)
        if let reason = row.reason {
            let refusal = try #require(throws: Refusal.self, "\(row.what)") {
                try RecoveryCourse(to: row.target, on: ground)
            }
            #expect(refusal.reason.contains(reason), "\(row.what)")
            if let remedy = row.remedy {
                #expect(refusal.remedies.contains { $0.contains(remedy) }, "\(row.what): \(refusal)")
            }
        } else {
            let course = try RecoveryCourse(to: row.target, on: ground)
            #expect(course.backup.label == row.backup, "\(row.what)")
            #expect(course.timelines == row.timelines, "\(row.what)")
            #expect(course.sentences.count == 2)
        }
    }

    @Test("what is lost is said")
    func loss() throws {
        func loss(_ target: RecoveryTarget) throws -> String {
            try RecoveryCourse(to: target, on: Self.ground).sentences[1]
        }
        #expect(
            try loss(Self.time("14:30:00"))
                == "all that was committed after 2026-11-22 14:30:00 UTC up to now, 2026-11-22 "
                + "15:00:00 UTC, is lost")
        #expect(try loss(.init(.position(LogPosition(bytes: 0x2900)))).hasSuffix("is lost, 26 KB of the log"))
        #expect(try loss(.init(.latest)) == "nothing is lost that is in the archive")
    }

    @Test(
        "a copy must have room, beside the old data or in its place",
        arguments: [(1099, 0, false, false), (1100, 0, false, true), (600, 500, true, true), (600, 499, true, false)])
    func room(free: Int, reused: Int, discards: Bool, isEnough: Bool) {
        let refusal = RecoveryGround.room(on: "pg1", free: free, reused: reused, database: 1000, discards: discards)
        #expect((refusal == nil) == isEnough)
    }
}
