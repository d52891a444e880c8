import DroverCLI
import Testing

@testable import ClusterCLI
@testable import PostgresCluster

@Suite("Story text")
struct StoryTextTests {
    private static func change() throws -> LeaderChange {
        LeaderChange(timeline: 3, time: try Moment("2026-11-25 03:40:31.5Z"), leader: "pg2", target: nil)
    }

    private static func story() throws -> LeaderStory {
        let messages: [(Double, String, String)] = [
            (58.25, "pg1", "INFO: no action. I am (pg1), the leader with the lock"),
            (59, "pg1", "PANIC:  could not \u{1b}[2Jwrite"), (60.5, "pg2", "LOG:  selected new timeline ID: 3"),
            (61, "pg2", "LOG:  database system is ready to accept connections"),
        ]
        let minute = try Moment("2026-11-25 23:59Z")
        return LeaderStory(
            of: try change(), after: nil,
            from: messages.map { second, member, text in
                LogEntry(
                    time: Moment(microseconds: minute.microseconds + Int(second * 1_000_000)), host: member,
                    unit: "patroni", priority: 6, message: text)
            }, unreachable: [])
    }

    @Test("who, why, how long, and what happened, with each day once and no control characters of hosts")
    func story() throws {
        #expect(
            StoryText.lines(of: try Self.story(), style: Style(isColoured: false)) == [
                "pg2 became the leader at 2026-11-26 00:00:00.500 UTC, on timeline 3. Before, it was pg1.", "",
                "Cause   PostgreSQL on pg1 crashed: could not write",
                "Outage  no member accepted writes for 2.00 s", "", "2026-11-25, times in UTC",
                "23:59:58.250 pg1 has the leader lock", "23:59:59.000 pg1 PostgreSQL crashes: could not write", "",
                "2026-11-26, times in UTC", "00:00:00.500 pg2 PostgreSQL begins timeline 3",
                "00:00:01.000 pg2 PostgreSQL accepts writes",
            ])
    }

    @Test("the changes as a table")
    func list() throws {
        #expect(
            StoryText.lines(of: [try Self.change()]) == [
                "timeline  began                        leader  recovered to",
                "3         2026-11-25 03:40:31.500 UTC  pg2",
            ])
        #expect(StoryText.lines(of: []) == ["The leader has not changed since the cluster was made."])
    }
}
