import Diagnostics
import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("Absent lines")
struct AbsentLinesTests {
    private static let rows: [(old: PathEntry.Answer, new: String?)] = [
        (.text("a\nPort 1\nb\n#Port\nPort 2\n"), "a\nb\n#Port\n"), (.text("a\n"), nil), (.text(""), nil),
        (.absent, nil),
        (.text("Port"), ""),
    ]

    @Test("removes all lines that match", arguments: rows)
    func decides(old: PathEntry.Answer, new: String?) throws {
        var facts = Facts()
        facts.record(.file(), to: FileStatus("/f"))
        facts.record(old, to: PathEntry("/f"))
        let resource = try AbsentLines(matching: "^Port", in: "/f")
        let changes = try resource.changes(given: facts, after: .init())
        #expect(changes.first?.texts["/f"]?.reveal() == new)
        #expect(changes.map(\.summary) == (new == nil ? [] : ["remove the lines with '^Port' from /f"]))
    }

    @Test("wrong parameters are told")
    func wrong() {
        #expect(throws: Diagnostic.self) { try AbsentLines(matching: "(", in: "/f") }
        #expect(throws: Diagnostic.self) { try AbsentLines(matching: "x", in: "f") }
    }
}
