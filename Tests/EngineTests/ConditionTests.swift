import Secrets
import Testing

import TestSupport

@testable import Engine

@Suite("Condition")
struct ConditionTests {
    private func condition(_ test: ShellText, timeout: Int = 60, isMet: Bool = false) -> Condition {
        Condition(
            "it answers", signs: [Echo(text: "a")], test: test, unit: "it's.service", timeout: timeout,
            unsettlingFiles: ["/its/file"]
        ) { facts in
            try facts[Echo(text: "a")] == "met"
        }
    }

    @Test("what to do about a failure is told before the journal")
    func advice() async throws {
        let condition = Condition(
            "it answers", signs: [Echo(text: "a")], test: "false", unit: "it's.service", failure: "true", timeout: 9,
            advice: "mend it's cause"
        ) { _ in false }
        let (run, lines) = try await wait(condition, failed: false)
        #expect(run.status == 1)
        #expect(lines.prefix(2) == ["it's.service runs, but what it is for has failed", "mend it's cause"])
    }

    @Test("who waits is told how far it is, now and then")
    func progress() async throws {
        let condition = Condition(
            "it answers", signs: [Echo(text: "a")], test: "[ -e done ] || { touch done; false; }", unit: "it's.service",
            timeout: 9,
            progress: "echo half"
        ) { _ in false }
        let change = try #require(try condition.changes(given: facts("not"), after: PendingEffects()).first)
        let folder = try TemporaryDirectory([:])
        let run = try await ShellRun.of("cd \(folder.path)\nsystemctl() { false; }\n\(change.script.reveal())")
        #expect(run.output == "progress: half\n")
    }

    private func facts(_ answer: String) -> Facts {
        var facts = Facts()
        facts.record(answer, to: Echo(text: "a"))
        return facts
    }

    @Test(
        "is waited for when it is not met, when its unit is about to start, or when what it rests on is written",
        arguments: [
            ("met", [], 0), ("not", [], 1), ("met", [.starts("it's.service")], 1),
            ("met", [.starts("other.service")], 0),
            ("met", [.writes("it's.service")], 0), ("met", [.writes("/its/file")], 1),
        ] as [(String, [Effect], Int)])
    func changes(answer: String, pending: [Effect], count: Int) throws {
        let changes = try condition(":").changes(given: facts(answer), after: PendingEffects(pending))
        #expect(changes.map(\.summary) == Array(repeating: "wait until it answers", count: count))
    }

    /// Runs the waiting with a systemd that says whether the unit has failed.
    private func wait(_ condition: Condition, failed: Bool) async throws -> (ShellRun, lines: [String]) {
        let change = try #require(try condition.changes(given: facts("not"), after: PendingEffects()).first)
        let run = try await ShellRun.of(
            """
            systemctl() { [ "$1 $2 $3" = "is-failed --quiet it's.service" ] && \(failed ? "true" : "false"); }
            journalctl() { echo "journalctl $1"; echo "panic: no quorum"; }
            ( set -e
            \(change.script.reveal())
            )
            """)
        return (run, run.output.linesOfText)
    }

    @Test("ends at once when the test succeeds, and throws away what that prints")
    func success() async throws {
        let (run, lines) = try await wait(condition("echo noise; echo noise >&2; true"), failed: true)
        #expect(run.status == 0)
        #expect(lines == [])
        #expect(run.errorOutput == "")
    }

    @Test("is tried again until it is true")
    func again() async throws {
        let directory = try TemporaryDirectory()
        let file = ShellText.quoting(directory.path + "/tries")
        let (run, _) = try await wait(condition("echo x >>\(file); [ $(wc -l <\(file)) -ge 3 ]"), failed: false)
        #expect(run.status == 0)
        #expect(try directory.text(of: "tries") == "x\nx\nx\n")
    }

    @Test("ends at once when the unit has failed, with its journal")
    func failure() async throws {
        let (run, lines) = try await wait(condition("false"), failed: true)
        #expect(run.status == 1)
        #expect(
            lines == [
                "it's.service has failed", "the last lines of the journal of it's.service:",
                "journalctl --unit=it's.service", "panic: no quorum",
            ])
    }

    @Test("the name of a unit is a text wherever it is said")
    func unitName() async throws {
        let condition = Condition(
            "it answers", signs: [Echo(text: "a")], test: "false", unit: "$(echo run).service", timeout: 0
        ) { _ in false }
        let (_, lines) = try await wait(condition, failed: false)
        #expect(lines[1] == "the last lines of the journal of $(echo run).service:")
    }

    @Test("what another host is waited for ends at the sign of failure, whatever fails here")
    func elsewhere() async throws {
        let condition = Condition(
            "the other answers", signs: [Echo(text: "a")], test: "false", unit: nil,
            failure: "[ ${tried-no} = yes ] || { tried=yes; false; }", timeout: 9, advice: "look at the other"
        ) { _ in false }
        let change = try #require(try condition.changes(given: facts("not"), after: PendingEffects()).first)
        let run = try await ShellRun.of(
            "systemctl() { :; }; journalctl() { echo noise; }; sleep() { :; }\n\(change.script.reveal())")
        #expect(run.status == 1)
        #expect(run.output == "look at the other\n")
    }

    @Test("ends after its time, with the journal")
    func timeout() async throws {
        let (run, lines) = try await wait(condition("false", timeout: 0), failed: false)
        #expect(run.status == 1)
        #expect(lines.first == "0 seconds were not enough")
        #expect(lines.last == "panic: no quorum")
    }

    @Test(
        "a test may be a here-document or several commands",
        arguments: ["cat <<'END'\nx\nEND\n", "false; true"] as [ShellText])
    func texts(test: ShellText) async throws {
        let (run, _) = try await wait(condition(test), failed: true)
        #expect(run.status == 0)
    }
}
