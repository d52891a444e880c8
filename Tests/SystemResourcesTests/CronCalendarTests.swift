import Testing

@testable import SystemResources

@Suite("Schedules of cron in the words of systemd")
struct CronCalendarTests {
    @Test(
        "are translated",
        arguments: [
            ("* * * * *", "*-*-* *:*"), ("15 3 * * *", "*-*-* 03:15"), ("0 1 * * 0", "Sun *-*-* 01:00"),
            ("00 3 * * 1-6", "Mon..Sat *-*-* 03:00"), ("0 3 * * 7", "Sun *-*-* 03:00"), ("0 3 * * 0-6", "*-*-* 03:00"),
            ("*/10 8-18/2 1,15 jan,jul *", "*-01,07-01,15 08..18/2:00/10"), ("5 0 * * mon,wed", "Mon,Wed *-*-* 00:05"),
            ("0 0 */2 * *", "*-*-01/2 00:00"),
        ])
    func translated(text: String, calendar: String) throws {
        #expect(try CronSchedule(text, of: "a test").calendar == calendar)
    }

    @Test("are not when systemd cannot say the same", arguments: ["0 1 1 * 1", "@daily"])
    func untranslated(text: String) throws {
        #expect(try CronSchedule(text, of: "a test").calendar == nil)
    }
}
