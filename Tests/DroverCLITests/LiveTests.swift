import Secrets
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Live region")
struct LiveTests {
    private func lines(
        _ events: [(Double, RunEvent)], width: Int = 60, height: Int = 24, now: Double
    ) -> [String] {
        var state = LiveState()
        for (time, event) in events { state.take(event, at: time) }
        return LiveLayout(width: width, height: height, style: Style(isColoured: false)).lines(state, at: now).map(
            \.text)
    }

    private func entered(_ host: String, _ phase: HostPhase) -> RunEvent { .hostEntered(host: .named(host), phase) }

    private func began(_ host: String, _ summary: String) -> RunEvent {
        .stepBegan(host: .named(host), play: "P", step: .sample(summary), number: 3, count: 14)
    }

    @Test("a line for each host: name, elapsed time, what it does")
    func lines() {
        let events: [(Double, RunEvent)] = [
            (0, entered("pg1", .connecting)), (0, entered("pg10", .connecting)), (0, entered("pg2", .waiting)),
            (1, entered("pg1", .gathering)), (2, entered("pg1", .applying)), (2.5, began("pg1", "install 14 packages")),
            (3, entered("pg10", .waitingForLock(holder: "ann@admin"))),
        ]
        #expect(
            lines(events, now: 70) == [
                "  pg1      1:07  step 3/14: install 14 packages",
                "  pg10     1:07  waits: ann@admin",
                "  pg2            waiting",
                "  1:10",
            ])
        #expect(
            lines(events, width: 30, now: 5) == [
                "  pg1     2.5 s  step 3/14: …",
                "  pg10    2.0 s  waits: ann@…",
                "  pg2            waiting",
                "  5 s",
            ])
    }

    @Test("how far a step is stands behind it, and ends with it")
    func progress() {
        let told = RunEvent.stepProgressed(host: .named("pg1"), text: "40 MB are there")
        let events: [(Double, RunEvent)] = [(1, began("pg1", "wait")), (3, told)]
        #expect(lines(events, now: 5).first == "  pg1    4.0 s  step 3/14: wait  40 MB are there")
        #expect(lines(events + [(4, began("pg1", "next"))], now: 5).first == "  pg1    1.0 s  step 3/14: next")
    }

    @Test("nothing is wider than the terminal", arguments: [1, 2, 5, 12, 20, 61])
    func width(width: Int) throws {
        let events: [(Double, RunEvent)] = [
            (0, entered("a-host-with-a-long-name.example.com", .connecting)),
            (0, entered("日本語日本語日本語日本語", .reconnecting(reason: "日本語は難しい、とても、とても難しい"))),
            (0, .planned(try plan(changes: 3))), (0, entered("b", .verifying)),
        ]
        for line in lines(events, width: width, now: 100) { #expect(DisplayWidth.of(line) < max(width, 1)) }
    }

    @Test("of many hosts those that are at work for the longest time are shown, in their order", arguments: [12, 24])
    func many(height: Int) {
        var events: [(Double, RunEvent)] = (1...50).map { (0, entered("pg\($0)", .waiting)) }
        events += [(5, entered("pg50", .gathering)), (4, entered("pg7", .gathering)), (3, entered("pg30", .gathering))]
        let text = lines(events, height: height, now: 6)
        #expect(text.count == height / 2)
        let names = text.dropLast(2).map { $0.split(separator: " ")[0] }
        #expect(names.filter { ["pg7", "pg30", "pg50"].contains($0) } == ["pg7", "pg30", "pg50"])
        #expect(text.suffix(2) == ["  … and \(50 - names.count) more", "  6 s"])
    }

    @Test("nothing is shown while the person reads the plan, nor after the end")
    func shown() throws {
        let events: [(Double, RunEvent)] = [
            (0, entered("a", .gathering)), (1, entered("a", .waiting)), (1, .planned(try plan(changes: 2))),
        ]
        #expect(lines(events, now: 2) == [])
        let later =
            events + [
                (4, .playBegan(name: "P")), (5, began("a", "do it")),
                (6, .stepEnded(host: .named("a"), play: "P", step: .sample("do it"), seconds: 1)),
            ]
        #expect(lines(later, now: 7) == ["  a    1.0 s  applying", "  play 1 of 1: P  7 s"])
        #expect(
            lines(later + [(8, entered("a", .waiting))], now: 9) == [
                "  a           waiting", "  play 1 of 1: P  9 s",
            ])
        #expect(lines(later + [(8, .finished(RunResult(recaps: [], status: .done)))], now: 9) == [])
        #expect(lines(later, height: 2, now: 7) == [])
    }

    @Test("a host that failed is no longer shown")
    func failed() {
        let events: [(Double, RunEvent)] = [
            (0, entered("a", .gathering)), (0, entered("b", .gathering)),
            (1, .hostFailed(host: .named("a"), .interrupted(during: nil, notBegun: []))),
        ]
        #expect(lines(events, now: 2) == ["  b    2.0 s  gathering", "  2 s"])
    }

    private func plan(changes: Int) throws -> Engine.Plan {
        let wish = Wish(name: "w", wanted: (0..<changes).map { Change("change \($0)", script: "") })
        return try Engine.Plan([Play("P", on: [.named("a")]) { _ in wish }], observed: Observations())
    }
}
