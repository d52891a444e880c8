import Engine
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Open files of a daemon")
struct OpenFilesTests {
    @Test("are read of the process, when it is that of the daemon")
    func reading() async throws {
        let folder = try TemporaryDirectory(["processes": ""])
        let questions = [("sh", ["none", "processes"]), ("pgbouncer", ["processes"]), ("sh", ["none"])].map {
            OpenFilesLimit(program: $0, processLists: $1.map { "\(folder.path)/\($0)" })
        }
        let run = try await ShellRun.of(
            """
            ulimit -n 77
            { echo 2; echo $$; } >'\(folder.path)/processes'
            \(OpenFilesLimit.script(for: questions))
            """)
        let answers = try OpenFilesLimit.answers(to: questions, from: run.output)
        #expect(questions.map { answers[$0] } == [77, .some(nil), .some(nil)])
        withExtendedLifetime(folder) {}
    }

    @Test("that are too few are raised without a restart")
    func raising() throws {
        let limit = OpenFilesLimit(unit: "pgbouncer")
        for (present, summaries) in [
            (nil, []), (10_200, []), (1024, ["let pgbouncer open 10200 files, not 1024"]),
        ] as [(Int?, [String])] {
            var facts = Facts()
            facts.record(present, to: limit)
            let raised = RaisedFileLimit(limit: limit, user: "postgres", files: 10_200)
            let changes = try raised.changes(given: facts, after: PendingEffects())
            #expect(changes.map(\.summary) == summaries)
            #expect(changes.allSatisfy { !$0.isDisturbing })
        }
    }
}
