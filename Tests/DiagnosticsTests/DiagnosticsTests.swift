import Testing

import Diagnostics

@Suite("Diagnostics")
struct DiagnosticsTests {
    @Test("print in the order of the text, those without a place last")
    func order() {
        var diagnostics = Diagnostics()
        diagnostics.report("no host is in the group 'master'")
        diagnostics.report("second", at: SourceLocation(file: "a.yml", line: 10, column: 1))
        diagnostics.report("first", at: SourceLocation(file: "a.yml", line: 9, column: 3), remedy: "write 'x'")
        #expect(
            diagnostics.description == """
                a.yml:9:3: first; write 'x'
                a.yml:10:1: second
                no host is in the group 'master'
                """)
    }

    @Test("keep each report once, and collect what is thrown")
    func collects() throws {
        var diagnostics = Diagnostics()
        diagnostics.report("same")
        diagnostics.report("same")
        let value: Int? = try diagnostics.collect { throw Diagnostic("other") }
        #expect(value == nil)
        #expect(diagnostics.all.map(\.message) == ["same", "other"])
        #expect(throws: Diagnostics.self) { try diagnostics.throwIfAny() }
    }
}
