import Diagnostics
import Engine
import TestSupport
import Testing

@testable import SystemResources

@Suite("Link")
struct LinkTests {
    private static let rows: [(entry: PathEntry.Answer, expected: [String])] = [
        (.link("/t"), []), (.absent, ["make the link /l → /t"]), (.link("/u"), ["change the link /l: /u → /t"]),
        (.text("x"), ["replace the file /l by a link → /t"]), (.binary, ["replace the file /l by a link → /t"]),
        (.other, ["make the link /l → /t"]),
    ]

    @Test("leads where it shall", arguments: rows)
    func decides(entry: PathEntry.Answer, expected: [String]) throws {
        var facts = Facts()
        facts.record(entry, to: PathEntry("/l"))
        let changes = try Link("/l", to: "/t").changes(given: facts, after: .init())
        #expect(changes.map(\.summary) == expected)
        #expect(changes.flatMap(\.effects) == (expected.isEmpty ? [] : [.writes("/l")]))
    }

    @Test(
        "wrong parameters are told",
        arguments: [("l", "/t"), ("/l/", "/t"), ("/l", ""), ("/l", "a\nb"), ("/l\n", "/t")])
    func wrong(path: String, target: String) {
        #expect(throws: Diagnostic.self) { try Link(path, to: target) }
    }

    @Test("is made and changed for real", arguments: ["l", "two words", "it's", "-n"])
    func makes(name: String) async throws {
        let directory = try TemporaryDirectory([name: "a file\n", "target": "x"])
        let path = "\(directory.path)/\(name)"
        for target in ["target", "/none such/it's", "-n"] {
            let link = try Link(path, to: target)
            #expect(try await ThisMachine.ensure(link).0 == .silent)
            #expect(try await ThisMachine.ensure(link).changes.isEmpty)
            #expect(try await ShellRun.of("readlink -- \(ShellText.quoting(path))").output == target + "\n")
        }
        #expect(try directory.names == [name, "target"].sorted())
        _ = try await ShellRun.of("rm \(ShellText.quoting(path)); mkdir \(ShellText.quoting(path))")
        let (run, _) = try await ThisMachine.ensure(try Link(path, to: "target"))
        #expect(run.status == 1)
        #expect(run.output == "a directory stands at \(path)\n")
    }
}
