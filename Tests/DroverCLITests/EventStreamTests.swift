import FoundationEssentials
import Inventory
import Secrets
import Synchronization
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Event stream")
struct EventStreamTests {
    private static let time = Date(timeIntervalSince1970: 1_767_225_600.25)

    private func lines(pending: Engine.ExitStatus = .changesPending, _ body: (EventStream) throws -> Void) rethrows
        -> [String]
    {
        let text = Mutex("")
        let stream = EventStream(
            pending: pending, clock: { Self.time }, write: { line in text.withLock { $0 += line.text } })
        try body(stream)
        let written = text.withLock(\.self)
        #expect(written.isEmpty || written.hasSuffix("\n"))
        return written.split(separator: "\n").map(String.init)
    }

    private func line(_ event: RunEvent) -> String { lines { $0.report(event) }.joined() }

    private let step = HostPlan.Step(
        resource: "file /f", change: Change("write /f", diff: UnifiedDiff(from: "a\n", to: "b\n"), script: "mv /f\n"),
        source: "M/F.swift:1")

    @Test("the first line tells the form, and what is run")
    func begin() {
        let heading = RunHeading(
            command: "apply", playbook: "deploy-cluster", inventory: "lab.yml", person: "ann@admin", began: Self.time)
        #expect(
            lines { $0.begin(heading) } == [
                """
                {"command":"apply","drover":"\(ProgramVersion.current)","event":"begin","inventory":"lab.yml",\
                "person":"ann@admin","playbook":"deploy-cluster","time":"2026-01-01T00:00:00.250Z","version":1}
                """
            ])
    }

    @Test("what ends the program is told, even when nothing has begun")
    func error() {
        #expect(
            lines { $0.end(RunEnding(status: .wrongInput, error: "no such \"file\"")) } == [
                """
                {"drover":"\(ProgramVersion.current)","event":"begin","time":"2026-01-01T00:00:00.250Z","version":1}
                """,
                #"{"event":"error","message":"no such \"file\"","status":1,"time":"2026-01-01T00:00:00.250Z"}"#,
            ])
        #expect(lines { $0.end(RunEnding(status: .done)) } == [])
    }

    @Test("hosts, plays and steps")
    func events() {
        let time = #""time":"2026-01-01T00:00:00.250Z""#
        let host = Host.named("pg1")
        #expect(
            line(.hostEntered(host: host, .waitingForLock(holder: "ann")))
                == #"{"detail":"ann","event":"hostEntered","host":"pg1","phase":"waitingForLock",\#(time)}"#)
        #expect(
            line(.hostEntered(host: host, .gathering))
                == #"{"event":"hostEntered","host":"pg1","phase":"gathering",\#(time)}"#)
        #expect(line(.playBegan(name: "P")) == #"{"event":"playBegan","play":"P",\#(time)}"#)
        let step = #""step":{"kind":"change","resource":"file /f","source":"M/F.swift:1","summary":"write /f"}"#
        #expect(
            line(.stepBegan(host: host, play: "P", step: self.step, number: 1, count: 2))
                == #"{"count":2,"event":"stepBegan","host":"pg1","number":1,"play":"P",\#(step),\#(time)}"#)
        #expect(
            line(.stepEnded(host: host, play: "P", step: self.step, seconds: 0.12345))
                == #"{"event":"stepEnded","host":"pg1","play":"P","seconds":0.123,\#(step),\#(time)}"#)
        #expect(
            line(.stepTold(host: host, text: "42 rows"))
                == #"{"event":"stepTold","host":"pg1","text":"42 rows",\#(time)}"#)
        #expect(
            line(.stepProgressed(host: host, text: "3 MB"))
                == #"{"event":"stepProgressed","host":"pg1","text":"3 MB",\#(time)}"#)
        #expect(line(.stopping) == #"{"event":"stopping",\#(time)}"#)
    }

    @Test("a plan, with its diffs")
    func plan() throws {
        let wish = Wish(name: "file /f", wanted: [.writing("/f", from: "a\n", to: "b\n")], notes: ["mind"])
        let play = Play("P", on: [.named("a"), .named("b")]) { host in
            if host.name == "a" { wish }
        }
        let line = line(.planned(try Engine.Plan([play], observed: Observations())))
        let source = try #require(line.firstMatch(of: /"source":"[^"]*\/EventStreamTests.swift:[0-9]+",/)).output
        #expect(
            line.replacing(source, with: "") == """
                {"changes":1,"event":"planned","notices":[{"hosts":["a"],"text":"mind"}],"plays":[{"hosts":[{"host":"a",\
                "steps":[{"diff":["@@ -1,1 +1,1 @@","-a","+b"],"kind":"change","resource":"file /f","summary":"write /f"}]}],\
                "name":"P"}],"time":"2026-01-01T00:00:00.250Z"}
                """)
    }

    @Test("a failure")
    func failure() {
        let failure = HostFailure.step(step, status: 2, output: ["one\ttwo"], notBegun: [.sample("later")])
        #expect(
            line(.hostFailed(host: .named("pg1"), failure)) == """
                {"advice":"mend the cause, then run the same command again: it goes on where this run ended",\
                "event":"hostFailed","exitStatus":2,"host":"pg1","notBegun":["later"],"output":["one\\ttwo"],\
                "resource":"file /f","script":["mv /f"],"source":"M/F.swift:1","status":3,"summary":"write /f",\
                "time":"2026-01-01T00:00:00.250Z"}
                """)
    }

    @Test("the end")
    func finished() {
        var result = RunResult(recaps: [("pg1", RunResult.Recap(ok: 3, changed: 2))], status: .done)
        result.seconds = 1.5
        result.costs.hosts = ["pg1": HostCosts()]
        result.costs.resources = 5
        #expect(
            line(.finished(result)) == """
                {"costs":{"controllerSeconds":0,"hosts":{"pg1":{"bytesReceived":0,"bytesSent":0,"connections":0,\
                "exchanges":0,"forks":0}},"resources":5},"event":"finished","recap":[{"changed":2,"failed":0,\
                "host":"pg1","ok":3,"skipped":0,"unreachable":0}],"seconds":1.5,"status":0,\
                "time":"2026-01-01T00:00:00.250Z"}
                """)
    }

    @Test(
        "a plan ends with the status that the program exits with", arguments: [Engine.ExitStatus.done, .changesPending])
    func pending(status: Engine.ExitStatus) throws {
        let line = try #require(
            lines(pending: status) { $0.report(.finished(RunResult(recaps: [], status: .changesPending))) }.first)
        #expect(line.contains("\"status\":\(status.rawValue),"), "\(line)")
        let failed = lines(pending: status) { $0.report(.finished(RunResult(recaps: [], status: .unreachable))) }
        #expect(failed[0].contains("\"status\":4,"), "\(failed)")
    }
}
