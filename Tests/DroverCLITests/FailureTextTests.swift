import Secrets
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Failure text")
struct FailureTextTests {
    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the connection is lost" }
    }

    private func texts(_ failures: [(String, HostFailure)]) -> [[String]] {
        FailureAccount.grouped(failures.map { (.named($0), $1) }).map {
            FailureText(account: $0, style: Style(isColoured: false)).lines
        }
    }

    private func lines(_ failure: HostFailure) -> [String] { texts([("pg1", failure)])[0] }

    private let start = HostPlan.Step(
        resource: "service etcd", change: Change("start etcd", script: "systemctl start etcd\n"),
        source: "PostgresCluster/Etcd.swift:41")

    private let again = "    → mend the cause, then run the same command again: it goes on where this run ended"

    @Test("a step that failed: what, where, what it said, and what was left undone")
    func step() {
        let failure = HostFailure.step(
            start, status: 1, output: ["", "bind: in use"], notBegun: [.sample("wait until x")])
        #expect(
            lines(failure) == [
                "  ✗ pg1: start etcd",
                "    service etcd, PostgresCluster/Etcd.swift:41, exit status 1",
                "    the command:",
                "      systemctl start etcd",
                "    its output:",
                "",
                "      bind: in use",
                "    not begun:",
                "      wait until x",
                again,
            ])
        #expect(
            FailureText(account: FailureAccount(failure, on: .named("pg1")), style: Style(isColoured: false)).line
                == "  ✗ pg1: start etcd (exit status 1)")
    }

    @Test("of a long output the end is quoted")
    func long() {
        let output = (1...100).map { "line \($0)" }
        let text = lines(.step(.sample("s"), status: 1, output: output, notBegun: []))
        #expect(text.filter { $0.hasPrefix("      line ") } == (61...100).map { "      line \($0)" })
    }

    @Test("the same failure of several hosts is told once, with what each host said")
    func grouped() {
        func failure(_ output: String) -> HostFailure {
            .step(start, status: 1, output: [output], notBegun: [])
        }
        let texts = texts([
            ("a", failure("one")), ("b", .session(Broken())), ("c", failure("two")), ("d", failure("one")),
            ("e", .session(Broken())), ("f", failure("three")), ("g", failure("four")), ("h", failure("five")),
        ])
        #expect(
            texts == [
                [
                    "  ✗ a c d f g h: start etcd",
                    "    service etcd, PostgresCluster/Etcd.swift:41, exit status 1",
                    "    the command:",
                    "      systemctl start etcd",
                    "    its output on a d:",
                    "      one",
                    "    its output on c:",
                    "      two",
                    "    its output on f:",
                    "      three",
                    "    … and 2 other outputs",
                    again,
                ], ["  ✗ b e: the connection is lost", again],
            ])
    }

    @Test("numbers and the name of the host do not make an output another one")
    func similar() {
        func failure(_ host: String, _ number: Int, _ word: String) -> (String, HostFailure) {
            (host, .step(start, status: 1, output: ["[\(number)] \(host) cannot bind", word], notBegun: []))
        }
        let accounts = FailureAccount.grouped(
            [failure("a", 1, "x"), failure("b", 22, "y"), failure("c", 3, "x"), failure("a2", 1, "x")].map {
                (.named($0), $1)
            })
        #expect(accounts.map(\.hosts) == [["a", "b", "c", "a2"]])
        #expect(accounts[0].quotations.map(\.lines) == [["[1] a cannot bind", "x"]])
        #expect(accounts[0].quotations[0].place(among: accounts[0].hosts) == " on a, and nearly so on b c a2")
    }

    @Test("what is not as declared, interrupted, moved")
    func others() {
        #expect(
            lines(.notConverged([start])) == [
                "  ✗ pg1: done, but not as declared",
                "    still to change:",
                "      service etcd: start etcd  (PostgresCluster/Etcd.swift:41)",
                "    → run the same command again; if that does not help, look at what the resource wants there",
            ])
        #expect(
            lines(.interrupted(during: start, notBegun: [.sample("wait")])) == [
                "  ✗ pg1: interrupted while it was at: start etcd",
                "    service etcd, PostgresCluster/Etcd.swift:41",
                "    not begun:",
                "      wait",
                "    → run the same command again: it goes on where this run ended",
            ])
        #expect(
            lines(.moved(["file /f: write /f"])) == [
                "  ✗ pg1: the host has moved during the run: it wants steps that the plan does not have",
                "    still to change:",
                "      file /f: write /f",
                "    → make a new plan, look at it, and apply that",
            ])
    }

    @Test("what is fed to programs is left out of the command, and so are secrets")
    func command() {
        let script: ShellText = """
            base64 -d >"$new" <<'END_OF_CONTENT'
            \(quoting: Secret("aGVsbG8="))
            END_OF_CONTENT
            chpasswd <<-EOF
            \troot:x
            \tEOF
            echo \(quoting: Secret("hunter2"))
            """
        #expect(
            CommandText.lines(of: script) == [
                "base64 -d >\"$new\" <<'END_OF_CONTENT'", "…", "chpasswd <<-EOF", "…", "echo ‹secret›",
            ])
    }

    @Test("of a long command the begin is shown")
    func longCommand() {
        let lines = CommandText.lines(of: (1...20).map { "echo \($0)" as ShellText }.joined(separator: "\n"))
        #expect(lines.count == CommandText.lineLimit)
        #expect(lines.suffix(2) == ["echo 11", "… and 9 more lines"])
        #expect(CommandText.lines(of: .quoting(String(repeating: "x", count: 500)))[0].count == 160)
    }

    @Test("a secret that a program quotes is masked, and it cannot paint the screen")
    func output() {
        var statement = MaskedText()
        statement.append(Secret("PASSWORD 'hunter2'"))
        let script: ShellText = "psql \(hereDocument: statement, "END")"
        let step = HostPlan.Step(resource: "role app", change: Change("create app", script: script))
        #expect(
            StepOutput.lines(["ERROR at: PASSWORD 'hunter2';", "\u{1b}[31mred\u{1b}[0m"], of: step) == [
                "ERROR at: ‹secret›;", "red",
            ])
    }
}
