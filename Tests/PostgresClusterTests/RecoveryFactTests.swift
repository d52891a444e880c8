import Engine
import Foundation
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Facts of a recovery")
struct RecoveryFactTests {
    private func answer<F: Fact>(_ fact: F, _ output: String) throws -> F.Answer {
        try #require(try F.answers(to: [fact], from: output)[fact])
    }

    @Test("a marker is what a script of it wrote")
    func marker() async throws {
        let marker = RecoveryMarker("demo")
        #expect(try answer(marker, "question\n") == .init())
        let told = try answer(marker, "question\ncurrent id 7\ncurrent target name a b\ncurrent end \nfinished id 6\n")
        #expect(told.current == ["id": "7", "target": "name a b", "end": ""])
        #expect(told.finished == ["id": "6"])
        #expect(throws: UnreadableAnswer.self) { try answer(marker, "what\n") }
    }

    @Test("a mark is set once, and taken away")
    func marking() async throws {
        let directory = try TemporaryDirectory()
        let script = RecoveryMarker("demo").definition
            .reveal().replacing(RecoveryMarker.folder, with: directory.path)
        let run = try await ShellRun.of(
            "\(script)\nmark a 1\nmark b '2 3'\nmark a 4\nunmark c\nunmark b\nmark d ''\ncat \"$marker\"")
        #expect(run.output == "a 4\nd \n")
    }

    @Test("the archive tells its stretches and the timelines")
    func contents() throws {
        let fact = ArchiveContents(stanza: "demo")
        let output = """
            question
            reached
            first 000000010000000000000001
            first 000000020000000000000006
            last 000000020000000000000007
            last 000000010000000000000005
            history 00000002
            branch 1\t0/6024F98\tbefore 2026-11-22 16:01:55.655584+00

            """
        let contents = try #require(try answer(fact, output))
        #expect(contents.segments[1] == .init(first: "000000010000000000000001", last: "000000010000000000000005"))
        #expect(contents.segments[2]?.last == "000000020000000000000007")
        let branch = try #require(contents.branches[2]?.first)
        #expect(branch.timeline == 1)
        #expect(branch.end == LogPosition("0/6024F98"))
        #expect(branch.stopped == (try Moment("2026-11-22 16:01:55.655584Z")))
        #expect(try answer(fact, "question\n") == .some(nil))
        #expect(throws: UnreadableAnswer.self) { try answer(fact, "question\nreached\nhm\n") }
    }

    @Test("what is found in the log is told with its place")
    func search() throws {
        let fact = LogSearch(
            wanted: .name("n"), stanza: "demo", dataDirectory: "/data", binaryDirectory: "/bin", stretches: [])
        let output = """
            question
            00000002 rmgr: XLOG        len (rec/tot):     98/    98, tx:          0, lsn: 0/04000108, prev 0/040000D0, desc: RESTORE_POINT n
            00000001 rmgr: Transaction len (rec/tot):     34/    34, tx:        740, lsn: 0/03000138, prev 0/03000100, desc: COMMIT 2026-11-22 16:01:55.655584 UTC
            00000001 rmgr: Transaction len (rec/tot):     34/    34, tx:        741, lsn: 0/03000158, prev 0/03000100, desc: ABORT 2026-11-22 16:01:56.000001 UTC; rels: x

            """
        let hits = try answer(fact, output)
        #expect(hits.map(\.timeline) == [2, 1, 1])
        #expect(hits.map(\.position.description) == ["0/4000108", "0/3000138", "0/3000158"])
        #expect(hits.map(\.isAborted) == [false, false, true])
        #expect(hits[1].time == (try Moment("2026-11-22 16:01:55.655584Z")))
        #expect(try answer(fact, "question\n").isEmpty)
    }

    @Test("the search leaves nothing behind when somebody ends it")
    func endedSearch() async throws {
        let fact = LogSearch(
            wanted: .name("n"), stanza: "demo", dataDirectory: "/data", binaryDirectory: "/bin", stretches: [])
        let folder = try TemporaryDirectory([:])
        let script = LogSearch.script(for: [fact]).reveal().replacing(
            "/tmp/drover-log", with: "\(folder.path)/drover-log")
        let run = try await ShellRun.ofGroup(
            """
            runuser() {
                shift 3
                case $* in
                mktemp* | rm*) "$@" ;;
                *repo-ls*) ls \(folder.path) >\(folder.path).seen; kill -TERM 0 ;;
                esac
            }
            ( \(script)
            )
            timeout 5 sh -c 'until [ -z "$(ls \(folder.path))" ]; do :; done'
            cat \(folder.path).seen
            rm \(folder.path).seen
            """)
        #expect(run.output.contains("drover-log."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("who leads tells how far its log is, others do not")
    func log() throws {
        let fact = LeaderLog(
            catalog: PostgresCatalog(
                port: 5432, binaryDirectory: "/bin", superuser: "postgres", databases: [], lookupRole: "p"))
        let end = try #require(
            try answer(fact, "question\n1795360000000001|0/9004880|000000030000000000000009|745|16777216\n"))
        #expect(end.now == Moment(microseconds: 1_795_360_000_000_001))
        #expect(end.timeline == 3)
        #expect(end.nextTransaction == 745)
        #expect(try answer(fact, "question\n") == .some(nil))
    }

    @Test("Patroni remembers when timelines were begun")
    func history() throws {
        let body = #"""
            [[1, 100814744, "before 2026-11-22 16:01:55+00"],
             [2, 117440672, "no recovery target specified", "2026-11-22T16:03:15.566185+00:00", "pg1"]]
            """#
        #expect(PatroniHistory.begins(.init(status: 200, body: body)) == [3: try Moment("2026-11-22 16:03:15.566185Z")])
        #expect(PatroniHistory.begins(nil) == [:])
    }
}
