import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Absent")
struct AbsentTests {
    private static let rows: [(status: FileStatus.Attributes?, recursively: Bool, expected: [String])] = [
        (nil, false, []), (nil, true, []), (.file(), false, ["remove /a/b"]), (.file(), true, ["remove /a/b"]),
        (.other("symbolic link"), true, ["remove /a/b"]), (.directory(), false, ["remove the empty directory /a/b"]),
        (.directory(), true, ["remove the directory /a/b and all that is in it"]),
    ]

    @Test("removes what stands there", arguments: rows)
    func decides(status: FileStatus.Attributes?, recursively: Bool, expected: [String]) throws {
        var facts = Facts()
        facts.record(status, to: FileStatus("/a/b"))
        let changes = try Absent("/a/b", recursively: recursively).changes(given: facts, after: .init())
        #expect(changes.map(\.summary) == expected)
        #expect(changes.flatMap(\.effects) == (expected.isEmpty ? [] : [.writes("/a/b")]))
    }

    @Test(
        "what no host can live without stays",
        arguments: ["/", "/etc", "//etc", "/etc/", "/srv/../etc", "etc/x", "/a/\n"])
    func refuses(path: String) {
        #expect(throws: Diagnostic.self) { try Absent(path, recursively: true) }
    }

    @Test("removes files, links and directories for real", arguments: ["f", "two words", "it's", "-n", "*", "l"])
    func removes(name: String) async throws {
        let directory = try TemporaryDirectory(["other": "x"])
        let path = "\(directory.path)/\(name)"
        for make in ["touch", "mkdir", "ln -s other"] {
            _ = try await ShellRun.of("\(make) \(ShellText.quoting(path))")
            #expect(try await ThisMachine.ensure(Absent(path)).0 == .silent)
            #expect(try directory.names == ["other"])
        }
    }

    @Test("a directory goes with what is in it only when told, and only after all of that was kept")
    func recursively() async throws {
        let directory = try TemporaryDirectory(["d/f": "x", "d/.hidden/two words": "x", "d/..x/*": "x", "kept": ""])
        let path = "\(directory.path)/d"
        _ = try await ShellRun.of("ln -s / \(path)/link")
        let (refused, _) = try await ThisMachine.ensure(Absent(path))
        #expect(refused.status == 1)
        #expect(refused.output == "it is removed with what is in it only when Absent is told to do so recursively\n")
        var change = try only(await ThisMachine.changes(of: Absent(path, recursively: true)))
        change.script = "keep() { echo \"keep $1\"; }\n\(change.script)"
        let run = try await HostShell.run([change])
        #expect(run.status == 0)
        #expect(
            Set(directory.shortened(run.output).linesOfText)
                == ["keep d/f", "keep d/.hidden/two words", "keep d/..x/*", "keep d/link"])
        #expect(try directory.names == ["kept"])
    }
}
