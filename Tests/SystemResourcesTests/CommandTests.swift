import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Command")
struct CommandTests {
    private static let guards: [(command: @Sendable () throws -> Command, success: Bool, exists: Bool, runs: Bool)] = [
        ({ try Command("x", unless: "test") }, true, false, false),
        ({ try Command("x", unless: "test") }, false, false, true),
        ({ try Command("x", onlyIf: "test") }, true, false, true),
        ({ try Command("x", onlyIf: "test") }, false, false, false),
        ({ try Command("x", creates: "/f") }, false, true, false),
        ({ try Command("x", creates: "/f") }, false, false, true),
    ]

    @Test("its guard decides", arguments: guards.indices)
    func decides(index: Int) throws {
        let (command, success, exists, runs) = Self.guards[index]
        var facts = Facts()
        facts.record(success, to: CommandSuccess("test"))
        facts.record(exists ? .file() : nil, to: FileStatus("/f"))
        let changes = try command().changes(given: facts, after: .init())
        #expect(changes.map(\.summary) == (runs ? ["run x"] : []))
        #expect(try command().questions.count == 1)
    }

    @Test("says what it writes and starts, and keeps what was there")
    func effects() async throws {
        let command = try Command("echo done\nfalse; echo never", unless: "t", writes: ["/a b"], starts: ["x.service"])
        var facts = Facts()
        facts.record(false, to: CommandSuccess("t"))
        var change = try only(command.changes(given: facts, after: .init()))
        #expect(change.effects == [.writes("/a b"), .starts("x.service")])
        #expect(change.isDisturbing)
        #expect(command.name == "command echo done")
        change.script = "keep() { echo \"keep $1\"; }\nkeep_unit() { echo \"unit $1\"; }\n\(change.script)"
        let run = try await HostShell.run([change])
        #expect(run.status == 1)
        #expect(run.output.linesOfText == ["keep /a b", "unit x.service", "done"])
    }

    @Test("runs for real what satisfies its guard, with secrets that nobody sees")
    func runs() async throws {
        let directory = try TemporaryDirectory()
        let folder = ShellText.quoting(directory.path)
        let script: ShellText = """
            word=\(quoting: Secret("s3cret"))
            ps -o args= -p $$ >\(folder)/seen
            echo "$word" >\(folder)/f
            """
        let command = try Command(script, called: "make f", creates: "\(directory.path)/f")
        let (run, changes) = try await ThisMachine.ensure(command)
        #expect(run == .silent)
        #expect(changes.map(\.summary) == ["run make f"])
        #expect(!"\(changes)".contains("s3cret"))
        #expect(try directory.text(of: "f") == "s3cret\n")
        #expect(try !directory.text(of: "seen").contains("s3cret"))
        #expect(try await ThisMachine.ensure(command).changes.isEmpty)
    }

    @Test("what makes no sense to the shell fails alone")
    func syntax() async throws {
        let run = try await HostShell.run([
            try only(await ThisMachine.changes(of: Command("if ( then", creates: "/nonexistent/x")))
        ])
        #expect(run.status != 0)
        #expect(run.errorOutput.lowercased().contains("syntax"))
    }

    @Test("wrong parameters are told")
    func wrong() {
        #expect(throws: Diagnostic.self) { try Command("x", creates: "f") }
        #expect(throws: Diagnostic.self) { try Command("x", unless: "t", writes: ["f"]) }
        #expect(throws: Diagnostic.self) { try Command("x", unless: "t", starts: ["haproxy"]) }
    }
}
