import Secrets
import Testing

@testable import Drover
@testable import DroverCLI

@Suite("Failure text")
struct FailureTextTests {
    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the connection is lost" }
    }

    private func lines(_ failure: HostFailure) -> [String] {
        FailureText(host: "pg1", failure: failure, style: Style(isColoured: false)).lines
    }

    private func step(_ resource: String, _ summary: String) -> HostPlan.Step {
        HostPlan.Step(resource: resource, change: Change(summary, script: ""))
    }

    @Test("a step that failed: what it said, and what was left undone")
    func step() {
        let failed = step("service etcd", "start etcd")
        #expect(
            lines(
                .step(failed, status: 1, output: ["", "bind: in use"], notBegun: [step("condition x", "wait until x")]))
                == [
                    "  ✗ pg1: start etcd (service etcd, exit status 1)", "      ", "      bind: in use",
                    "    not begun: wait until x",
                ])
    }

    @Test("of a long output the end is quoted")
    func long() {
        let output = (1...100).map { "line \($0)" }
        let text = lines(.step(step("r", "s"), status: 1, output: output, notBegun: []))
        #expect(text.count == 41)
        #expect(text[1] == "      line 61")
        #expect(text.last == "      line 100")
    }

    @Test("a broken connection, and what is not as declared")
    func others() {
        #expect(lines(.session(Broken())) == ["  ✗ pg1: the connection is lost"])
        #expect(
            lines(.notConverged([step("file /f", "write /f")])) == [
                "  ✗ pg1: done, but not as declared; still to change:", "      file /f: write /f",
            ])
    }
}
