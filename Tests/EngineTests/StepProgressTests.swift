import Inventory
import Secrets
import Synchronization
import Testing

@testable import Engine

@Suite("Step progress")
struct StepProgressTests {
    /// Collects what is reported of steps.
    private final class Log: Reporter {
        private let lines = Mutex<[String]>([])
        var told: [String] { lines.withLock { $0 } }

        func report(_ event: RunEvent) {
            let line: String? =
                switch event {
                case .stepBegan(_, _, let step, let number, let count):
                    "begin \(step.change.summary) \(number)/\(count)"
                case .stepEnded(_, _, let step, _): "end \(step.change.summary)"
                case .stepProgressed(let host, let text): "\(host.name) \(text)"
                case .stepTold(let host, let text): "\(host.name) told \(text)"
                default: nil
                }
            if let line { lines.withLock { $0.append(line) } }
        }
    }

    private let log = Log()

    private func progress() throws -> StepProgress {
        let changes = ["a", "b", "c"].map { Change($0, script: "") }
        let plan = try HostPlan(for: [Wish(name: "r", changes: changes)], on: .named("h"), given: Facts())
        return StepProgress(plan: plan, play: "P", reporter: log)
    }

    @Test("follows steps to their end")
    func complete() throws {
        var progress = try progress()
        for step in 0..<3 {
            progress.take(.began(step: step))
            #expect(progress.current?.change.summary == ["a", "b", "c"][step])
            progress.take(.ended(status: 0))
        }
        progress.finish(0)
        #expect(progress.isComplete)
        #expect(progress.failure == nil)
        #expect(log.told == ["begin a 1/3", "end a", "begin b 2/3", "end b", "begin c 3/3", "end c"])
    }

    @Test("of a step that prints without end, the first and last lines are kept")
    func endless() throws {
        var progress = try progress()
        progress.take(.began(step: 0))
        for number in 0..<100_000 { progress.take(.printed("line \(number)")) }
        progress.take(.printed(String(repeating: "x", count: 1_000_000) + "end"))
        progress.take(.ended(status: 1))
        guard case .step(_, 1, let output, _) = progress.failure else {
            Issue.record("\(String(describing: progress.failure))")
            return
        }
        #expect(output.count == 2 * KeptLines.limit + 1)
        #expect(output[0] == "line 0" && output[KeptLines.limit - 1] == "line 499")
        #expect(output[KeptLines.limit] == "… 99001 lines are left out …")
        #expect(output[output.count - 2] == "line 99999")
        let last = try #require(output.last)
        #expect(last.utf8.count < KeptLines.width + 10 && last.hasPrefix("xxx") && last.hasSuffix("xend"))
    }

    @Test("a step that fails is told with what it printed")
    func failure() throws {
        var progress = try progress()
        for event in [.began(step: 0), .ended(status: 0), .began(step: 1), .printed("x"), .ended(status: 7)]
            as [ApplyOutput.Event]
        { progress.take(event) }
        progress.finish(7)
        guard case .step(let step, 7, ["x"], let notBegun) = progress.failure else {
            Issue.record("\(String(describing: progress.failure))")
            return
        }
        #expect(step.change.summary == "b")
        #expect(notBegun.map(\.change.summary) == ["c"])
        #expect(progress.done.map(\.change.summary) == ["a"])
    }

    @Test("a step tells how far it is, which is no part of what it printed")
    func told() throws {
        var progress = try progress()
        for event in [
            .began(step: 0), .printed("progress: 3 of 9"), .printed("told: good"), .printed("x"), .ended(status: 1),
        ]
            as [ApplyOutput.Event]
        { progress.take(event) }
        #expect(log.told == ["begin a 1/3", "h 3 of 9", "h told good"])
        guard case .step(_, 1, ["x"], _) = progress.failure else {
            Issue.record("\(String(describing: progress.failure))")
            return
        }
    }

    @Test("a script that ends before its time has failed", arguments: [0, 2] as [Int32])
    func ended(status: Int32) throws {
        var progress = try progress()
        progress.finish(status)
        guard case .step(_, status, [], let notBegun) = progress.failure else {
            Issue.record("\(String(describing: progress.failure))")
            return
        }
        #expect(notBegun.map(\.change.summary) == ["b", "c"])
    }

    @Test("a halt is the person's wish")
    func halted() throws {
        var progress = try progress()
        for event in [.began(step: 0), .ended(status: 0), .halted(before: 1)] as [ApplyOutput.Event] {
            progress.take(event)
        }
        progress.finish(0)
        guard case .interrupted(nil, let notBegun) = progress.failure else {
            Issue.record("\(String(describing: progress.failure))")
            return
        }
        #expect(notBegun.map(\.change.summary) == ["b", "c"])
    }

    private struct Loss: Sendable {
        var what: String
        /// What was told before the connection was lost.
        var events: [ApplyOutput.Event] = []
        var statuses: [Int: Int32?]
        var done: [String]
        var notBegun: [String]
        var isFailure = false
    }

    private static let losses: [Loss] = [
        Loss(what: "nothing was begun", statuses: [:], done: [], notBegun: ["a", "b", "c"]),
        Loss(what: "the first ended, unheard", statuses: [0: 0], done: ["a"], notBegun: ["b", "c"]),
        Loss(
            what: "the second did not come to its end", events: [.began(step: 0), .ended(status: 0), .began(step: 1)],
            statuses: [0: 0, 1: nil as Int32?], done: ["a"], notBegun: ["b", "c"]),
        Loss(
            what: "all ended, unheard", events: [.began(step: 0)], statuses: [0: 0, 1: 0, 2: 0], done: ["a", "b", "c"],
            notBegun: []),
        Loss(
            what: "the second failed, unheard", events: [.began(step: 0)], statuses: [0: 0, 1: 3], done: ["a"],
            notBegun: ["c"], isFailure: true),
    ]

    @Test("after a lost connection the journal tells what became of the steps", arguments: losses)
    private func lost(loss: Loss) throws {
        var progress = try progress()
        for event in loss.events { progress.take(event) }
        progress.take(loss.statuses)
        #expect(progress.done.map(\.change.summary) == loss.done, "\(loss.what)")
        #expect(progress.notBegun.map(\.change.summary) == loss.notBegun, "\(loss.what)")
        #expect((progress.failure != nil) == loss.isFailure, "\(loss.what)")
        #expect(log.told.filter { $0.hasPrefix("end") } == loss.done.map { "end \($0)" }, "\(loss.what)")
    }
}
