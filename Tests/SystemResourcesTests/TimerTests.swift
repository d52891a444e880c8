import Diagnostics
import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("Timer")
struct TimerTests {
    private static func timer() throws -> Timer {
        try Timer(
            "backup", at: ["*-*-* 03:15", "Mon 12:00"], within: 600, as: "postgres", running: "/usr/bin/backup --all")
    }

    private static let service = """
        [Unit]
        Description=backup, run by backup.timer

        [Service]
        Type=oneshot
        User=postgres
        ExecStart=/usr/bin/backup --all

        """
    private static let clock = """
        [Unit]
        Description=Runs backup.service

        [Timer]
        OnCalendar=*-*-* 03:15
        OnCalendar=Mon 12:00
        RandomizedDelaySec=600
        Persistent=true

        [Install]
        WantedBy=timers.target

        """
    private static let folder = "/etc/systemd/system"
    private static let reload = "let systemd read the units of backup again"

    private struct Row: Sendable {
        var what: String
        var isWritten = true
        var active = "active"
        var unitFile = "enabled"
        var timerIsOld = false
        var serviceIsOld = false
        var expected: [String] = []
    }

    private static let rows: [Row] = [
        Row(what: "converged"),
        Row(
            what: "new", isWritten: false, active: "inactive", unitFile: "",
            expected: [
                "write \(folder)/backup.service", "write \(folder)/backup.timer", reload, "enable backup.timer",
                "start backup.timer",
            ]),
        Row(what: "the run that wrote the timer was interrupted", timerIsOld: true, expected: [reload]),
        Row(what: "the run that wrote the service was interrupted", serviceIsOld: true, expected: [reload]),
        Row(what: "stopped", active: "inactive", expected: ["start backup.timer"]),
        Row(what: "disabled", unitFile: "disabled", expected: ["enable backup.timer"]),
    ]

    @Test("is written, enabled and waits", arguments: rows)
    private func decides(row: Row) throws {
        var facts = Facts()
        for (name, text) in [("backup.service", Self.service), ("backup.timer", Self.clock)] {
            facts.record(row.isWritten ? .file() : nil, to: FileStatus("\(Self.folder)/\(name)"))
            facts.record(
                row.isWritten ? .asExpected : .absent, to: FileContent("\(Self.folder)/\(name)", expected: text))
        }
        facts.record(
            .init(active: row.active, unitFile: row.unitFile, needsDaemonReload: row.timerIsOld),
            to: UnitStatus("backup.timer"))
        facts.record(
            .init(active: "inactive", unitFile: "static", needsDaemonReload: row.serviceIsOld),
            to: UnitStatus("backup.service"))
        let changes = try Self.timer().changes(given: facts, after: .init())
        #expect(changes.map(\.summary) == row.expected, "\(row.what)")
        #expect(try Self.timer().questions.count == 6)
    }

    @Test("wrong parameters are told")
    func wrong() {
        #expect(throws: Diagnostic.self) { try Timer("back up", at: ["daily"], running: "/x") }
        #expect(throws: Diagnostic.self) { try Timer("x", at: [], running: "/x") }
        #expect(throws: Diagnostic.self) { try Timer("x", at: ["a\nb"], running: "/x") }
        #expect(throws: Diagnostic.self) { try Timer("x", at: ["daily"], running: "backup") }
        #expect(throws: Diagnostic.self) { try Timer("x", at: ["daily"], as: "a\nb", running: "/x") }
    }
}
