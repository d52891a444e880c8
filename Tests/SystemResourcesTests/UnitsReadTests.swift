import Drover
import Secrets
import Testing

@testable import SystemResources

@Suite("Units read")
struct UnitsReadTests {
    private func changes(after pending: [Effect]) throws -> [String] {
        var facts = Facts()
        facts.record(.init(active: "active", unitFile: "enabled"), to: UnitStatus("etcd.service"))
        facts.record(.init(active: "inactive", unitFile: "disabled"), to: UnitStatus("patroni.service"))
        facts.record(.init(active: "inactive", unitFile: ""), to: UnitStatus("keepalived.service"))
        return try UnitsRead(["etcd", "patroni", "keepalived"]).changes(given: facts, after: .init(pending))
            .map { "\($0.summary): \($0.script.reveal())" }
    }

    private func dropIn(_ unit: String) -> Effect { .writes("/etc/systemd/system/\(unit).service.d/drover.conf") }

    @Test("all at once, those whose settings are written")
    func decides() throws {
        #expect(try changes(after: []) == [])
        #expect(
            try changes(after: [dropIn("etcd")]) == [
                "let systemd read the units of etcd again: systemctl daemon-reload"
            ])
        #expect(
            try changes(after: [dropIn("etcd"), dropIn("patroni"), dropIn("keepalived")]) == [
                "let systemd read the units of etcd, patroni again: systemctl daemon-reload"
            ])
    }

    @Test("what is not installed yet is read when it is")
    func notInstalled() throws {
        #expect(try changes(after: [dropIn("keepalived")]) == [])
    }
}
