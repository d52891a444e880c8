import Engine
import Testing

@testable import SystemResources

@Suite("KeptUnit")
struct KeptUnitTests {
    private struct Row: Sendable {
        var what: String
        /// The states before the run, as its journal has them.
        var before = "enabled active"
        var active = "active"
        var unitFile = "enabled"
        var restartFile = 50
        var reloadFile = 50
        var pending: [Effect] = []
        var expected: [String] = []
    }

    private static let rows: [Row] = [
        Row(what: "as before"),
        Row(what: "a file came back that it reads when it starts", restartFile: 101, expected: ["restart u.service"]),
        Row(what: "a file came back that it reloads", reloadFile: 201, expected: ["reload u.service"]),
        Row(what: "a file is about to come back", pending: [.writes("/reload")], expected: ["reload u.service"]),
        Row(what: "it is reloading what came back", active: "reloading"),
        Row(what: "it was reloading when the run changed it", before: "enabled reloading"),
        Row(
            what: "it is reloading, and another file comes back", active: "reloading", pending: [.writes("/restart")],
            expected: ["restart u.service"]),
        Row(what: "the run has stopped it", active: "inactive", expected: ["start u.service"]),
        Row(
            what: "it was reloading, and the run has stopped it", before: "enabled reloading", active: "inactive",
            expected: ["start u.service"]),
        Row(what: "the run has started it", before: "enabled inactive", expected: ["stop u.service"]),
        Row(
            what: "the run has started it, and it is reloading", before: "enabled inactive", active: "reloading",
            expected: ["stop u.service"]),
        Row(what: "it was stopped", before: "enabled inactive", active: "failed"),
        Row(what: "the run has enabled it", before: "disabled active", expected: ["disable u.service"]),
        Row(what: "the run has disabled it", unitFile: "disabled", expected: ["enable u.service"]),
    ]

    @Test("brings back the state from before the run", arguments: rows)
    private func decides(row: Row) throws {
        let journal = try #require(
            Journal("run\t1\tid\tperson\tapply\nunit\tu.service\t\(row.before)\trestart:/restart\treload:/reload\n"))
        let unit = KeptUnit(try #require(journal.units.first), reading: ["/restart", "/reload"])
        var facts = Facts()
        facts.record(
            UnitStatus.Answer(
                active: row.active, unitFile: row.unitFile, started: Timestamp(nanoseconds: 100),
                changedState: Timestamp(nanoseconds: 200)), to: UnitStatus("u.service"))
        for (path, time) in [("/restart", row.restartFile), ("/reload", row.reloadFile)] {
            facts.record(.file(modified: time), to: FileStatus(path))
        }
        let changes = try unit.changes(given: facts, after: PendingEffects(row.pending))
        #expect(changes.map(\.summary) == row.expected, "\(row.what)")
    }
}
