import Secrets
import Testing

import TestSupport

@testable import Drover

@Suite("Apply script")
struct ApplyScriptTests {
    private static let nonce = "0123456789abcdef"

    private func steps(_ scripts: [String]) -> [HostPlan.Step] {
        scripts.map { HostPlan.Step(resource: $0, change: Change($0, script: MaskedText($0))) }
    }

    /// Runs the steps, and reads their output in pieces of `size` bytes.
    private func events(
        of scripts: [String], piece size: Int = 7
    ) async throws -> (events: [ApplyOutput.Event], status: Int32) {
        let script = ApplyScript(steps(scripts), nonce: Self.nonce)
        let run = try await ShellRun.of(script.text.reveal())
        #expect(run.errorOutput == "", "a step's two outputs are joined")
        return (read(run.output, piece: size), run.status)
    }

    private func read(_ output: String, piece size: Int) -> [ApplyOutput.Event] {
        var reader = ApplyOutput(nonce: Self.nonce)
        var events: [ApplyOutput.Event] = []
        var rest = Array(output.utf8)[...]
        while !rest.isEmpty {
            events += reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return events + reader.finish()
    }

    @Test("tells of each step, whatever the pieces", arguments: [1, 2, 3, 16, 64, 100_000])
    func pieces(size: Int) async throws {
        let (events, status) = try await events(
            of: ["echo one; echo two >&2", ":", "printf 'no newline'", "printf '\\n\\nä\\n'"], piece: size)
        #expect(status == 0)
        #expect(
            events == [
                .began(step: 0), .printed("one"), .printed("two"), .ended(status: 0),
                .began(step: 1), .ended(status: 0),
                .began(step: 2), .printed("no newline"), .ended(status: 0),
                .began(step: 3), .printed(""), .printed(""), .printed("ä"), .ended(status: 0),
            ])
    }

    @Test(
        "the first step that fails ends the script with its status",
        arguments: [
            ("echo before; false; echo after", 1), ("echo before; exit 7", 7), ("echo before; (exit 3); echo after", 3),
            ("echo before; x=$(false); echo after", 1),
            ("trap 'echo before' EXIT; false", 1), ("echo before; test -e /nonexistent && echo after", 1),
        ])
    func failure(script: String, status expected: Int32) async throws {
        let (events, status) = try await events(of: [":", script, "echo never"])
        #expect(status == expected)
        #expect(
            events == [
                .began(step: 0), .ended(status: 0), .began(step: 1), .printed("before"), .ended(status: expected),
            ])
    }

    @Test("a step begins afresh: nothing to read, and nothing left of the steps before it")
    func isolation() async throws {
        let (events, status) = try await events(of: [
            "cd /usr; x=1; f() { :; }; trap 'echo bye' EXIT", "cat; echo \"${x-unset}\"; pwd; echo $-",
        ])
        #expect(status == 0)
        #expect(events.prefix(4) == [.began(step: 0), .printed("bye"), .ended(status: 0), .began(step: 1)])
        #expect(events[4] == .printed("unset"))
        #expect(events[5] != .printed("/usr"))
        #expect(events[6] == .printed("e"))
    }

    @Test(
        "what looks like a marker and has not this nonce is only printed",
        arguments: [
            "\u{1e}fedcba begin 1", "\u{1e}", "begin 0", "\u{1e}0123456789abcdef", "\u{1e}0123456789abcdefbegin 0",
        ])
    func forgery(line: String) async throws {
        let (events, _) = try await events(of: ["printf '%s\\n' \(Shell.quote(line))"], piece: 1)
        #expect(events == [.began(step: 0), .printed(line), .ended(status: 0)])
    }

    @Test("a script that cannot be parsed fails, and later steps are not begun")
    func syntaxError() async throws {
        let script = ApplyScript(steps([":", "if", "echo never"]), nonce: Self.nonce)
        let run = try await ShellRun.of(script.text.reveal())
        #expect(run.status != 0)
        #expect(!read(run.output, piece: 10).contains(.began(step: 2)))
    }

    @Test("must finish when one step must")
    func mustFinish() {
        let change = Change("install", script: "", mustFinish: true)
        #expect(!ApplyScript(steps([":"]), nonce: "").mustFinish)
        #expect(ApplyScript(steps([":"]) + [.init(resource: "", change: change)], nonce: "").mustFinish)
    }

    @Test("keeps secrets masked")
    func secrets() {
        var text: MaskedText = "echo "
        text.append(Secret("hunter2"))
        let script = ApplyScript([.init(resource: "r", change: Change("c", script: text))], nonce: "n").text
        #expect(!script.description.contains("hunter2"))
        #expect(script.reveal().contains("echo hunter2"))
    }

    @Test("nonces are long and differ")
    func nonce() {
        let nonces = Set((0..<100).map { _ in Nonce.make() })
        #expect(nonces.count == 100)
        #expect(nonces.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
