import ArgumentParser
import Inventory
import Secrets
import Testing

@testable import Engine

@Suite("Recap")
struct RecapTests {
    private struct NoPlaybook: Playbook {
        static let name = "none"
        static let abstract = ""
        func model(of inventory: Inventory) throws {}
        func hosts(of model: Void) -> [Host] { [] }
        func plays(for model: Void, observed: Observations) throws -> [Play] { [] }
    }

    private typealias Outcome = HostPart<NoPlaybook>.Outcome

    private static let host = Host.named("h")

    private static func step(_ resource: String, _ summary: String = "do") -> HostPlan.Step {
        HostPlan.Step(resource: resource, change: Change(summary, script: ""))
    }

    /// Two plays: in the first one r1 (two steps) and r2 want changes and r3 does not, in the second one r4 does.
    private func recaps() throws -> Recaps {
        @Sendable func wish(_ name: String, _ count: Int) -> Wish {
            Wish(name: name, changes: (0..<count).map { Change("\($0)", script: "") })
        }
        let plays = [
            Play("1", on: [Self.host]) { _ in
                wish("r1", 2)
                wish("r2", 1)
                wish("r3", 0)
            },
            Play("2", on: [Self.host]) { _ in wish("r4", 1) },
        ]
        return Recaps(of: try Plan(plays, observed: Observations()))
    }

    private struct Row: Sendable {
        var what: String
        var done: [String] = []
        var notBegun: [String] = []
        var failure: HostFailure?
        var expected: RunResult.Recap
    }

    private static let rows: [Row] = [
        Row(what: "nothing happened yet", expected: .init(ok: 1, skipped: 3)),
        Row(what: "all done", done: ["r1", "r1", "r2"], expected: .init(ok: 1, changed: 2, skipped: 1)),
        Row(
            what: "a step failed", done: ["r1", "r1"], failure: .step(step("r2"), status: 1, output: [], notBegun: []),
            expected: .init(ok: 1, changed: 1, failed: 1, skipped: 1)),
        Row(
            what: "the second step of a resource failed", done: ["r1"], notBegun: ["r2"],
            failure: .step(step("r1"), status: 1, output: [], notBegun: [step("r2")]),
            expected: .init(ok: 1, failed: 1, skipped: 2)),
        Row(
            what: "the first step of a resource failed", notBegun: ["r1", "r2"],
            failure: .step(step("r1"), status: 1, output: [], notBegun: [step("r1"), step("r2")]),
            expected: .init(ok: 1, failed: 1, skipped: 2)),
        Row(
            what: "done and not converged", done: ["r1", "r1", "r2"], failure: .notConverged([step("r2")]),
            expected: .init(ok: 1, changed: 1, failed: 1, skipped: 1)),
        Row(
            what: "interrupted between two steps", done: ["r1", "r1"],
            failure: .interrupted(during: nil, notBegun: [step("r2")]), expected: .init(ok: 1, changed: 1, skipped: 2)),
        Row(
            what: "interrupted in a step", done: ["r1", "r1"], failure: .interrupted(during: step("r2"), notBegun: []),
            expected: .init(ok: 1, changed: 1, failed: 1, skipped: 1)),
        Row(what: "the host has moved", failure: .moved(["r9: write"]), expected: .init(ok: 1, skipped: 3)),
        Row(
            what: "the connection broke", done: ["r1", "r1"], failure: .session(CancellationError()),
            expected: .init(ok: 1, changed: 1, unreachable: 1, skipped: 2)),
    ]

    @Test("counts every resource once", arguments: rows)
    private func counts(row: Row) throws {
        var recaps = try recaps()
        recaps.take(
            Outcome(
                host: Self.host, done: row.done.map { Self.step($0) }, notBegun: row.notBegun.map { Self.step($0) },
                failure: row.failure))
        #expect(recaps.all.map(\.recap) == [row.expected], "\(row.what)")
    }

    @Test("all plays together")
    func together() throws {
        var recaps = try recaps()
        recaps.take(Outcome(host: Self.host, done: [Self.step("r1"), Self.step("r2")]))
        recaps.take(Outcome(host: Self.host, done: [Self.step("r4")]))
        #expect(recaps.all.map(\.recap) == [.init(ok: 1, changed: 3)])
    }

    @Test("after success nothing was skipped: what no play did any more had become so by itself")
    func settled() throws {
        var recaps = try recaps()
        recaps.take(Outcome(host: Self.host, done: [Self.step("r1"), Self.step("r1"), Self.step("r2")]))
        recaps.settle()
        #expect(recaps.all.map(\.recap) == [.init(ok: 2, changed: 2)])
    }
}
