import Diagnostics
import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("Unit drop-in")
struct UnitDropInTests {
    private static let path = "/etc/systemd/system/haproxy.service.d/limits.conf"

    private func changes(directory: FileStatus.Attributes?, content: FileContent.Answer) throws -> [Change] {
        let dropIn = try UnitDropIn("haproxy", "limits", containing: "[Service]\nLimitNOFILE=9\n")
        #expect(dropIn.path == Self.path)
        var facts = Facts()
        facts.record(directory, to: FileStatus("/etc/systemd/system/haproxy.service.d"))
        facts.record(content == .absent ? nil : .file(), to: FileStatus(Self.path))
        facts.record(content, to: FileContent(Self.path, expected: "[Service]\nLimitNOFILE=9\n"))
        return try dropIn.changes(given: facts, after: .init())
    }

    @Test("is written with its directory")
    func decides() throws {
        #expect(try changes(directory: .directory(), content: .asExpected).isEmpty)
        let new = try changes(directory: nil, content: .absent)
        #expect(new.map(\.summary) == ["make directory /etc/systemd/system/haproxy.service.d", "write \(Self.path)"])
        #expect(new.flatMap(\.effects) == [.writes(Self.path)])
    }

    @Test("has its service read it, and restart when it is told so")
    func service() throws {
        var pending = PendingEffects()
        pending.add(try changes(directory: .directory(), content: .absent))
        var facts = Facts()
        facts.record(
            .init(active: "active", unitFile: "enabled", started: Timestamp(nanoseconds: 9)),
            to: UnitStatus("haproxy.service"))
        facts.record(.file(modified: 10), to: FileStatus(Self.path))
        let reload = "let systemd read the unit of haproxy again"
        #expect(try Service("haproxy").changes(given: facts, after: pending).map(\.summary) == [reload])
        let service = Service("haproxy", restartedBy: [Self.path])
        #expect(try service.changes(given: facts, after: pending).map(\.summary) == [reload, "restart haproxy"])
        // An interrupted run loses no restart.
        #expect(try service.changes(given: facts, after: .init()).map(\.summary) == ["restart haproxy"])
    }

    @Test("other kinds of units, and wrong parameters")
    func names() throws {
        let path = try UnitDropIn("x@1.timer", "a", containing: "# why\n\n[Timer]\n").path
        #expect(path == "/etc/systemd/system/x@1.timer.d/a.conf")
        #expect(throws: Diagnostic.self) { try UnitDropIn("a/b", "x", containing: "[Service]") }
        #expect(throws: Diagnostic.self) { try UnitDropIn("a", "../x", containing: "[Service]") }
        #expect(throws: Diagnostic.self) { try UnitDropIn("a", "x", containing: "LimitNOFILE=9") }
        #expect(throws: Diagnostic.self) { try UnitDropIn("a", "x", containing: "") }
    }
}
