import Engine
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Abandoned timelines")
struct AbandonedTimelineTests {
    private static let promoted = "no recovery target specified"

    private func findings(
        current: Int, lineage: [(Int, String)] = [], inUse: Set<Int> = [], archived: Int? = nil,
        traces: [TimelineFiles.Trace] = [], now: Int = 1_795_400_000
    ) -> [Finding] {
        let position = LogPosition(bytes: 1)
        let own = TimelineFiles.Trace(
            directory: "/data/pg_wal", timeline: current,
            branches: lineage.map { .init(timeline: $0.0, end: position, reason: $0.1) })
        return TimelineFindings(
            current: current, inUse: inUse.union([current]), traces: [("pg1", [own] + traces)], archived: archived,
            now: now
        ).all
    }

    private func trace(_ timeline: Int) -> TimelineFiles.Trace {
        .init(directory: "/data/pg_wal", timeline: timeline, begun: 1_795_353_723, written: 1_795_353_823)
    }

    @Test("a later timeline that no member continues is reported with its time and its WAL")
    func later() throws {
        let finding = try #require(findings(current: 1, traces: [trace(2)]).first)
        #expect(
            finding.text
                == "timeline 2 was promoted and then abandoned: rows that were acknowledged on it from 2026-11-22T13:22:03Z until "
                + "2026-11-22T13:23:43Z are in doubt")
        #expect(finding.remedy.hasPrefix("its WAL is in /data/pg_wal on pg1: "))
        #expect(findings(current: 1, archived: 2).map(\.severity) == [.warning])
    }

    @Test("a promotion that the leader has not told of yet is none, and neither is the leader's own past")
    func continued() {
        #expect(findings(current: 1, inUse: [2], traces: [trace(2)]) == [])
        // The leader is being promoted at this moment, and all members still tell of timeline 1.
        #expect(findings(current: 1, traces: [trace(2)], now: 1_795_353_723 + 59) == [])
        #expect(findings(current: 1, traces: [trace(2)], now: 1_795_353_723 + 61).count == 1)
        #expect(findings(current: 3, lineage: [(1, Self.promoted), (2, Self.promoted)], traces: [trace(2)]) == [])
        #expect(findings(current: 2, archived: 2) == [])
    }

    @Test("an earlier timeline beside the leader's past is reported unless a recovery has left it on purpose")
    func beside() {
        #expect(findings(current: 3, lineage: [(1, Self.promoted)], traces: [trace(2)]).count == 1)
        #expect(findings(current: 3, lineage: [(1, "before 2026-11-22 15:04:05.1+00")], traces: [trace(2)]) == [])
    }

    @Test("the fact reads the WAL of a member, and what was retired beside it")
    func fact() async throws {
        let folder = try TemporaryDirectory()
        let script = TimelineFiles.script(for: [TimelineFiles(path: "\(folder.path)/main")])
        let run = try await ShellRun.of(
            """
            cd \(folder.path)
            mkdir -p main/pg_wal/archive_status main.removed-20261122T130000Z/pg_wal
            touch -d @1000 main/pg_wal/000000020000000000000003
            touch -d @2000 main/pg_wal/000000020000000000000004
            printf '1\\t0/3000000\\tno recovery target specified\\n' >main/pg_wal/00000002.history
            touch -d @900 main/pg_wal/00000002.history
            touch -d @3000 main.removed-20261122T130000Z/pg_wal/0000000A0000000000000001
            \(script)
            """)
        let answers = try TimelineFiles.answers(to: [TimelineFiles(path: "x")], from: run.output)
        let traces = try #require(answers.values.first)
        #expect(
            Set(traces) == [
                .init(
                    directory: "\(folder.path)/main/pg_wal", timeline: 2, begun: 900, written: 2000,
                    branches: [.init(timeline: 1, end: LogPosition(bytes: 0x300_0000), reason: Self.promoted)]),
                .init(
                    directory: "\(folder.path)/main.removed-20261122T130000Z/pg_wal", timeline: 10, begun: nil,
                    written: 3000),
            ])
    }
}
