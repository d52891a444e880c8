import FoundationEssentials
import Inventory
import Secrets
import TestSupport
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Report")
struct ReportTests {
    private let heading = RunHeading(
        command: "apply", playbook: "deploy-cluster", inventory: "lab.yml", person: "ann@admin",
        began: Date(timeIntervalSince1970: 1_767_225_600))

    private let install = HostPlan.Step(
        resource: "packages", change: Change("install curl", script: ""), source: "M/F.swift:1")

    private func record(_ events: [(Double, RunEvent)]) -> RunRecord {
        var record = RunRecord()
        for (time, event) in events { record.take(event, at: time) }
        return record
    }

    /// Two hosts, on one of which the second step fails.
    private func sample() throws -> RunRecord {
        let secret: ShellText = "echo \(quoting: Secret("hunter2"))"
        let plan = try Engine.Plan(
            [
                Play("Install <things>", on: [.named("a"), .named("b")]) { _ in
                    Wish(name: "packages", wanted: [Change("install curl", script: "")])
                },
                Play("Write", on: [.named("a")]) { _ in
                    Wish(
                        name: "file /f", wanted: [.writing("/f", from: "a & b\n", to: "<c>\n")], notes: ["mind & think"]
                    )
                },
            ], observed: Observations())
        let (a, b) = (Host.named("a"), Host.named("b"))
        let install = plan.stages[0].hosts[0].steps[0]
        let planned = plan.stages[1].hosts[0].steps[0]
        var change = planned.change
        change.script = secret
        let write = HostPlan.Step(resource: planned.resource, change: change)
        var result = RunResult(
            recaps: [("a", RunResult.Recap(ok: 1, changed: 1, failed: 1)), ("b", RunResult.Recap(changed: 1))],
            status: .stepFailed)
        result.seconds = 10
        result.costs.hosts = ["a": HostCosts()]
        return record([
            (0, .hostEntered(host: a, .connecting)), (0, .hostEntered(host: b, .connecting)),
            (0.5, .hostEntered(host: a, .waiting)), (1, .hostEntered(host: b, .waiting)), (1, .planned(plan)),
            (2, .playBegan(name: "Install <things>")),
            (2, .stepBegan(host: a, play: "Install <things>", step: install, number: 1, count: 1)),
            (2, .stepBegan(host: b, play: "Install <things>", step: install, number: 1, count: 1)),
            (5, .stepEnded(host: a, play: "Install <things>", step: install, seconds: 3)),
            (6, .stepEnded(host: b, play: "Install <things>", step: install, seconds: 4)),
            (6, .playBegan(name: "Write")),
            (6, .stepBegan(host: a, play: "Write", step: write, number: 1, count: 1)),
            (9, .hostEntered(host: a, .waiting)),
            (9, .hostFailed(host: a, .step(write, status: 1, output: ["<no> room for hunter2"], notBegun: []))),
            (9, .stepBegan(host: b, play: "Write", step: .sample("wait"), number: 1, count: 1)),
            (9.5, .stepEnded(host: b, play: "Write", step: .sample("wait"), seconds: 0.5)),
            (10, .finished(result)),
        ])
    }

    @Test(
        "a text is never markup",
        arguments: [
            ("<b>&\"'</b>", "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;"), ("a\tb\n", "a\tb\n"),
            ("\u{1b}[0m\r", "\u{FFFD}[0m\u{FFFD}"),
            ("日本 ✓", "日本 ✓"),
        ])
    func escape(text: String, expected: String) {
        let inner: HTML = "<p>\(text)</p>"
        let outer: HTML = "<div>\([inner])</div>"
        #expect(outer.description == "<div><p>\(expected)</p></div>")
    }

    @Test("lengths", arguments: [(0.0, "0"), (1, "1"), (1.04, "1"), (1.05, "1.1"), (-0.52, "-0.5"), (-3, "-3")])
    func lengths(number: Double, expected: String) {
        #expect(("\(number)" as HTML).description == expected)
    }

    @Test("what happened, and when")
    func recorded() throws {
        let record = try sample()
        #expect(record.plays.map(\.name) == ["Install <things>", "Write"])
        #expect(record.steps.map(\.seconds) == [3, 4, 3, 0.5])
        #expect(record.steps.map(\.outcome) == [.done, .done, .failed, .done])
        #expect(record.phases.map(\.ended) == [0.5, 1, 9, 10, 9])
        #expect(SlowestSteps.of(record, longerThan: 3.5).map(\.host) == ["b"])
    }

    @Test("a run that is cut short ends what goes on")
    func cut() {
        var record = record([
            (0, .hostEntered(host: .named("a"), .applying)),
            (1, .stepBegan(host: .named("a"), play: "P", step: install, number: 1, count: 1)),
        ])
        record.end(at: 4)
        #expect(record.steps.map(\.ended) == [4])
        #expect(record.steps.map(\.outcome) == [.failed])
        #expect(record.phases.map(\.ended) == [4])
    }

    @Test("the timeline: a row for each host, a bar for each step, where time goes to the right")
    func timeline() throws {
        let timeline = Timeline(try sample(), seconds: 10)
        #expect(timeline.hosts == ["a", "b"])
        #expect(timeline.plays == ["Install <things>", "Write"])
        #expect(
            timeline.bars == [
                .init(row: 0, x: 0, width: 50, kind: .phase("connecting"), title: "a: connecting, 0.50 s"),
                .init(row: 1, x: 0, width: 100, kind: .phase("connecting"), title: "b: connecting, 1.00 s"),
                .init(row: 0, x: 200, width: 300, kind: .step(play: 0), title: "a: install curl, 3.00 s"),
                .init(row: 1, x: 200, width: 400, kind: .step(play: 0), title: "b: install curl, 4.00 s"),
                .init(
                    row: 0, x: 600, width: 300, kind: .failedStep, title: "a: write /f, failed or interrupted, 3.00 s"),
                .init(row: 1, x: 900, width: 50, kind: .step(play: 1), title: "b: wait, 0.50 s"),
            ])
        #expect(
            timeline.barriers == [
                .init(x: 100, label: "the plan is shown"), .init(x: 200, label: "Install <things>"),
                .init(x: 600, label: "Write"),
            ])
        #expect(timeline.ticks.map(\.label) == ["0 s", "2 s", "4 s", "6 s", "8 s", "10 s"])
    }

    @Test(
        "marks of the axis are round, and not too many",
        arguments: [
            (0, "0 s"), (0.35, "0 s|0.1 s|0.2 s|0.3 s"), (1, "0 s|0.2 s|0.4 s|0.6 s|0.8 s|1 s"),
            (75, "0 s|10 s|20 s|30 s|40 s|50 s|1:00|1:10"),
            (7300, "0 s|15:00|30:00|45:00|1:00:00|1:15:00|1:30:00|1:45:00|2:00:00"),
        ])
    func ticks(seconds: Double, labels: String) {
        #expect(Timeline(RunRecord(), seconds: seconds).ticks.map(\.label).joined(separator: "|") == labels)
    }

    @Test("a very short or very late bar is still seen, and inside")
    func narrowBars() {
        let record = record([
            (0, .hostEntered(host: .named("a"), .connecting)), (0.0001, .hostEntered(host: .named("a"), .waiting)),
            (10, .hostEntered(host: .named("a"), .verifying)), (10, .hostEntered(host: .named("a"), .waiting)),
        ])
        let bars = Timeline(record, seconds: 10).bars
        #expect(bars.map(\.width) == [2, 2])
        #expect(bars.map(\.x) == [0, 998])
    }

    private func page(_ ending: RunEnding = RunEnding(status: .stepFailed)) throws -> String {
        ReportPage(heading: heading, record: try sample(), ending: ending, seconds: 10).html.description
    }

    @Test(
        "the page",
        arguments: [
            "<title>apply deploy-cluster: failed</title>",
            "<small>drover apply</small> deploy-cluster <strong class=\"status bad\">failed</strong>",
            "<dt>Begun</dt><dd>2026-01-01 00:00:00 UTC</dd>", "<dt>Took</dt><dd>10.0 s</dd>",
            "<dt>By</dt><dd>ann@admin</dd>", "<dt>Changes</dt><dd>3 planned, 3 made</dd>",
            "<tr><th scope=\"row\">a</th><td class=\"ok\">1</td><td class=\"changed\">1</td><td class=\"none\">0</td>",
            "<h3>write /f <span class=\"chip bad\">a</span> </h3>", "<pre>echo ‹secret›</pre>",
            "<pre>&lt;no&gt; room for ‹secret›</pre>",
            "<h3>Install &lt;things&gt;</h3>",
            "<span class=\"chip good\">✓ b <small>4.00 s</small></span>",
            "<span class=\"chip bad\">✗ a <small>3.00 s</small></span>",
            "<del>-a &amp; b</del><ins>+&lt;c&gt;</ins></pre></details></li>",
            "<h3>Write <span class=\"chip warn\">not planned</span></h3>",
            "<title>a: write /f, failed or interrupted, 3.00 s</title></rect>",
            "<p class=\"note\"><b>a</b> mind &amp; think</p>",
            "<tr><td class=\"number\">4.00 s</td><td class=\"share\"><i style=\"width:100%\"></i></td>",
        ])
    func page(snippet: String) throws {
        #expect(try page().contains(snippet))
    }

    @Test("no secret is on the page")
    func secrets() throws {
        #expect(try !page().contains("hunter2"))
    }

    @Test("the page needs nothing from elsewhere, and no script")
    func selfContained() throws {
        let text = try page(RunEnding(status: .refused, error: "refused: <it>"))
        for word in ["http:", "https:", "<script", "<link", "@import", "url(", "src="] { #expect(!text.contains(word)) }
        #expect(text.contains("<pre class=\"error\">refused: &lt;it&gt;</pre>"))
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
        #expect(text.hasSuffix("</html>\n"))
    }

    @Test("the file is written when the run is over, also when nothing was found out")
    func file() throws {
        let folder = try TemporaryDirectory()
        let file = PageFile("\(folder.path)/report.html")
        try file.check()
        #expect(try folder.names == [])
        file.begin(heading)
        file.end(RunEnding(status: .unreachable, error: "pg1: no route"))
        #expect(try folder.text(of: "report.html").contains("<strong class=\"status bad\">unreachable</strong>"))
        #expect(try folder.names == ["report.html"])
    }

    @Test(
        "a file that cannot be written is told before anything is done",
        arguments: ["/nowhere/at/all/report.html", "/tmp"])
    func unwritable(path: String) {
        #expect(throws: (any Error).self) { try PageFile(path).check() }
    }
}
