import Diagnostics
import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("Cron entry")
struct CronEntryTests {
    @Test(
        "schedules that cron takes",
        arguments: [
            "* * * * *", "0 3 * * *", "*/5 * * * *", "0-30/10 1,2,3 1-15 jan-jun mon-fri", "59 23 31 12 7", "@daily",
            "@reboot", "0\t0  1 1 SUN", "1-5,10,20-30/2 * * * *",
        ])
    func good(schedule: String) throws {
        _ = try CronSchedule(schedule, of: "cron entry x")
    }

    @Test(
        "schedules that it does not take",
        arguments: [
            ("* * * *", "has 4 fields"), ("* * * * * *", "has 6 fields"), ("", "has 0 fields"),
            ("60 * * * *", "'60' is no minute"), ("* 24 * * *", "'24' is no hour"),
            ("* * 0 * *", "'0' is no day of the month"),
            ("* * * 13 *", "'13' is no month"), ("* * * * 8", "'8' is no day of the week"),
            ("*/0 * * * *", "is no minute"),
            ("5-1 * * * *", "is no minute"), ("5/2 * * * *", "is no minute"), ("1,,2 * * * *", "is no minute"),
            ("-1 * * * *", "is no minute"), ("+1 * * * *", "is no minute"), ("1- * * * *", "is no minute"),
            ("* * * mon *", "is no month"), ("*/ * * * *", "is no minute"), ("@dayly", "cron knows no '@dayly'"),
            ("٣ * * * *", "is no minute"),
        ])
    func bad(schedule: String, sentence: String) {
        let error = #expect(throws: Diagnostic.self) { try CronSchedule(schedule, of: "cron entry x") }
        #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }

    @Test("is a file that cron reads, its per cent signs as cron wants them")
    func decides() throws {
        let entry = try CronEntry("backup", at: "15  3 * * *", as: "postgres", running: "dump >/srv/$(date +%F).sql")
        let text = "15 3 * * * postgres dump >/srv/$(date +\\%F).sql\n"
        #expect(entry.questions.count == 2)
        var facts = Facts()
        facts.record(nil, to: FileStatus("/etc/cron.d/backup"))
        facts.record(.absent, to: FileContent("/etc/cron.d/backup", expected: text))
        let change = try only(entry.changes(given: facts, after: .init()))
        #expect(change.summary == "write /etc/cron.d/backup")
        #expect(change.diff?.text.last == "+" + text.dropLast())
        #expect(change.effects == [.writes("/etc/cron.d/backup")])
    }

    @Test(
        "what cron would leave out or misread is told",
        arguments: [
            ("back.up", "root", "x"), ("../x", "root", "x"), ("", "root", "x"), ("x", "", "x"), ("x", "a b", "x"),
            ("x", "root", " "), ("x", "root", "a\nb"),
        ])
    func wrong(name: String, user: String, command: ShellText) {
        #expect(throws: Diagnostic.self) { try CronEntry(name, at: "@daily", as: user, running: command) }
    }
}
