import Inventory
import Synchronization
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Console")
struct ConsoleTests {
    /// - Returns: what was written, one element for each write.
    private func writes(
        isLive: Bool = false, showsCosts: Bool = false, _ body: (Console) throws -> Void
    ) rethrows -> [String] {
        let writes = Mutex<[String]>([])
        let size: @Sendable () -> (width: Int, height: Int) = { (40, 20) }
        let console = Console(
            style: Style(isColoured: false), showsDiffs: true, showsCosts: showsCosts,
            size: isLive ? size : nil, write: { text in writes.withLock { $0.append(text.text) } })
        try body(console)
        return writes.withLock(\.self)
    }

    private let host = Host.named("pg1")

    @Test("elsewhere than on a terminal, whole lines, each event in one write")
    func plain() {
        let writes = writes { console in
            console.report(.hostEntered(host: host, .gathering))
            console.report(.playBegan(name: "P"))
            console.report(.stepBegan(host: host, play: "P", step: .sample("do it"), number: 1, count: 2))
            console.report(.stepEnded(host: host, play: "P", step: .sample("do it"), seconds: 0.1))
            console.report(.stepEnded(host: host, play: "P", step: .sample("wait"), seconds: 12.34))
            console.report(.hostEntered(host: host, .reconnecting(reason: "the connection broke")))
            console.report(.stopping)
            console.redraw()
            console.end(RunEnding(status: .done))
        }
        #expect(
            writes == [
                "\nP\n", "  ✓ pg1: do it\n", "  ✓ pg1: wait  12.3 s\n",
                "  pg1: the connection broke; connecting again\n",
                "stopping: running steps end, no others begin; again to end them at once\n",
            ])
    }

    @Test("on a terminal, lines go above the region, and nothing of it is left in the end")
    func live() {
        let writes = writes(isLive: true) { console in
            console.report(.hostEntered(host: host, .gathering))
            console.report(.playBegan(name: "P"))
            console.end(RunEnding(status: .interrupted, error: "interrupted"))
        }
        #expect(writes.count == 2)
        #expect(writes[0].hasPrefix("\r\u{1b}[J\nP\n  pg1  "))
        #expect(writes[1] == "\r\u{1b}[2A\u{1b}[J")
    }

    @Test("the recap, then the failures in full, which have to be read")
    func end() {
        var result = RunResult(
            recaps: [("pg1", RunResult.Recap(ok: 1, failed: 1)), ("pg10", RunResult.Recap(ok: 2))], status: .stepFailed)
        result.seconds = 2
        let failure = HostFailure.step(.sample("do it"), status: 1, output: ["no"], notBegun: [])
        let writes = writes { console in
            console.report(.hostFailed(host: host, failure))
            console.report(.finished(result))
            console.end(RunEnding(status: .stepFailed))
        }
        #expect(
            writes == [
                "  ✗ pg1: do it (exit status 1)\n",
                """

                pg1   ok=1  changed=0  unreachable=0  failed=1  skipped=0
                pg10  ok=2  changed=0  unreachable=0  failed=0  skipped=0
                2.00 s in all

                """,
                """

                  ✗ pg1: do it
                    resource, exit status 1
                    its output:
                      no
                    → mend the cause, then run the same command again: it goes on where this run ended

                """,
            ])
    }

    @Test("the slowest steps are told when people wonder, and with the costs", arguments: [(6.0, false), (1.0, true)])
    func slowest(seconds: Double, showsCosts: Bool) {
        var result = RunResult(recaps: [], status: .done)
        result.seconds = seconds
        let writes = writes(showsCosts: showsCosts) { console in
            console.report(.stepBegan(host: host, play: "P", step: .sample("do it"), number: 1, count: 1))
            console.report(.stepEnded(host: host, play: "P", step: .sample("do it"), seconds: 0.7))
            console.report(.finished(result))
        }
        #expect(writes.last?.hasPrefix("\nThe slowest steps\n  0.70 s  pg1: do it\n") == true)
    }
}
