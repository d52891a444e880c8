import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Service")
struct ServiceTests {
    private static let service = Service("haproxy", restartedBy: ["/restart"], reloadedBy: ["/reload"])
    private static let patient = Service("haproxy", restartedBy: ["/restart"], waitsForStart: false)

    private struct Row: Sendable {
        var what: String
        var active = "active"
        var unitFile = "enabled"
        var needsDaemonReload = false
        var started: Int? = 100
        var changedState: Int? = 200
        /// When the restarting and the reloading file were written; nil when there is none.
        var restartFile: Int? = 50
        var reloadFile: Int? = 50
        var pending: [Effect] = []
        var service = ServiceTests.service
        var expected: [String] = []
    }

    private static let rows: [Row] = [
        Row(what: "converged"),
        Row(what: "written in the nanosecond of the start", restartFile: 100, reloadFile: 200),
        Row(what: "written after the start", restartFile: 101, expected: ["restart haproxy"]),
        Row(what: "written after the start, before the last reload", restartFile: 150, expected: ["restart haproxy"]),
        Row(what: "to reload, written before the last reload", reloadFile: 150),
        Row(what: "to reload, written after it", reloadFile: 201, expected: ["reload haproxy"]),
        Row(
            what: "a restart reads what a reload would", restartFile: 101, reloadFile: 201,
            expected: ["restart haproxy"]),
        Row(what: "about to be written", pending: [.writes("/restart")], expected: ["restart haproxy"]),
        Row(what: "to reload, about to be written", pending: [.writes("/reload")], expected: ["reload haproxy"]),
        Row(
            what: "made for the first time", restartFile: nil, pending: [.writes("/restart")],
            expected: ["restart haproxy"]),
        Row(what: "another file is written", pending: [.writes("/restart2"), .starts("other.service")]),
        Row(what: "no such files", restartFile: nil, reloadFile: nil),
        Row(what: "the start is not known", started: nil, changedState: nil, restartFile: 500, reloadFile: 500),
        Row(what: "not enabled", unitFile: "disabled", expected: ["enable haproxy"]),
        Row(
            what: "not installed yet", active: "inactive", unitFile: "", expected: ["enable haproxy", "start haproxy"]),
        Row(what: "static", unitFile: "static"),
        Row(what: "enabled until the next boot", unitFile: "enabled-runtime", expected: ["enable haproxy"]),
        Row(what: "masked", active: "inactive", unitFile: "masked", expected: ["enable haproxy", "start haproxy"]),
        Row(what: "stopped", active: "inactive", expected: ["start haproxy"]),
        Row(what: "stopping", active: "deactivating", expected: ["start haproxy"]),
        Row(
            what: "stopped: a start reads everything", active: "inactive", restartFile: 500, reloadFile: 500,
            pending: [.writes("/restart")], expected: ["start haproxy"]),
        Row(what: "failed", active: "failed", expected: ["start haproxy"]),
        Row(what: "reloading", active: "reloading"),
        Row(what: "starting: to be waited for", active: "activating", expected: ["start haproxy"]),
        Row(what: "starting: another waits for it", active: "activating", service: patient),
        Row(
            what: "starting with an old file", active: "activating", restartFile: 101, service: patient,
            expected: ["restart haproxy"]),
        Row(
            what: "the unit is newer than systemd knows", needsDaemonReload: true,
            expected: ["let systemd read the unit of haproxy again"]),
        Row(
            what: "a drop-in is about to be written",
            pending: [.writes("/etc/systemd/system/haproxy.service.d/drover.conf")],
            expected: ["let systemd read the unit of haproxy again"]),
        Row(
            what: "everything at once, in order", active: "failed", unitFile: "disabled", needsDaemonReload: true,
            expected: ["let systemd read the unit of haproxy again", "enable haproxy", "start haproxy"]),
    ]

    @Test("changes what is not as declared", arguments: rows)
    private func decides(row: Row) throws {
        let changes = try row.service.changes(given: facts(of: row), after: PendingEffects(row.pending))
        #expect(changes.map(\.summary) == row.expected, "\(row.what)")
    }

    @Test("asks for the unit and for all files")
    func questions() {
        let questions = Self.service.questions.map { AnyHashable($0) }
        #expect(questions == [UnitStatus("haproxy.service"), FileStatus("/restart"), FileStatus("/reload")])
    }

    @Test("a restart and a start are told to what comes after, a reload is not")
    func effects() throws {
        func effects(_ row: Row) throws -> [Effect] {
            try row.service.changes(given: facts(of: row), after: PendingEffects()).flatMap(\.effects)
        }
        #expect(try effects(Row(what: "", active: "inactive")) == [.starts("haproxy.service")])
        #expect(try effects(Row(what: "", restartFile: 500)) == [.starts("haproxy.service")])
        #expect(try effects(Row(what: "", reloadFile: 500)) == [])
    }

    private struct Command: Sendable {
        var row: Row
        /// What systemctl is called with.
        var expected: [String]
    }

    private static let commands = [
        Command(row: Row(what: "start", active: "inactive"), expected: ["start haproxy.service"]),
        Command(
            row: Row(what: "start after a failure", active: "failed"),
            expected: ["reset-failed haproxy.service", "start haproxy.service"]),
        Command(
            row: Row(what: "start without waiting", active: "inactive", service: patient),
            expected: ["start --no-block haproxy.service"]),
        // Queued alone, the restart would leave the old process to answer meanwhile.
        Command(
            row: Row(what: "restart without waiting", restartFile: 500, service: patient),
            expected: ["stop haproxy.service", "start --no-block haproxy.service"]),
        Command(row: Row(what: "reload", reloadFile: 500), expected: ["reload haproxy.service"]),
        Command(
            row: Row(what: "enable", unitFile: "disabled", needsDaemonReload: true),
            expected: ["daemon-reload", "enable --quiet haproxy.service"]),
        Command(
            row: Row(what: "unmask", unitFile: "masked"),
            expected: ["unmask --quiet haproxy.service", "enable --quiet haproxy.service"]),
    ]

    @Test("gives systemd the orders", arguments: commands)
    private func orders(command: Command) async throws {
        let changes = try command.row.service.changes(given: facts(of: command.row), after: PendingEffects())
        let run = try await HostShell.run(changes, with: ["systemctl": "echo \"$@\""])
        #expect(run.status == 0)
        #expect(run.output.linesOfText == command.expected)
    }

    @Test("quotes the journal when a start fails")
    func failure() async throws {
        let changes = try Self.service.changes(given: facts(of: Row(what: "", active: "inactive")), after: .init())
        let run = try await HostShell.run(
            changes, with: ["systemctl": "echo 'Job failed.' >&2; exit 5", "journalctl": "echo \"$1: bind: in use\""])
        #expect(run.status == 1)
        #expect(
            run.output.linesOfText == [
                "the last lines of the journal of haproxy.service:", "--unit=haproxy.service: bind: in use",
            ])
        #expect(run.errorOutput == "Job failed.\n")
    }

    private func facts(of row: Row) -> Facts {
        var facts = Facts()
        let status = UnitStatus.Answer(
            active: row.active, unitFile: row.unitFile, needsDaemonReload: row.needsDaemonReload,
            started: row.started.map(Timestamp.init), changedState: row.changedState.map(Timestamp.init))
        facts.record(status, to: UnitStatus("haproxy.service"))
        facts.record(row.restartFile.map { .file(modified: $0) }, to: FileStatus("/restart"))
        facts.record(row.reloadFile.map { .file(modified: $0) }, to: FileStatus("/reload"))
        return facts
    }
}
