import Testing

@testable import ClusterCLI
import DroverCLI
@testable import PostgresCluster

@Suite("Log text")
struct LogTextTests {
    private func entry(_ host: String, _ time: String, _ message: String, priority: Int = 6) throws -> LogEntry {
        LogEntry(time: try Moment(time), host: host, unit: "patroni", priority: priority, message: message)
    }

    @Test("aligned, with the day once, without a daemon's own time and without control characters")
    func lines() throws {
        var text = LogText(hosts: ["pg1", "backup"], style: Style(isColoured: false))
        let lines =
            text.lines(of: try entry("pg1", "2026-11-25 03:40:32.46754Z", "2026-11-25 03:40:32,460 INFO: promoted"))
            + text.lines(
                of: try entry("backup", "2026-11-25 23:59:59Z", "2026-11-25 23:59:59.000 UTC [1] LOG:  x\u{1b}[2J"))
            + text.lines(of: try entry("pg1", "2026-11-26 00:00Z", "y", priority: 3))
        #expect(
            lines == [
                "2026-11-25, times in UTC", "03:40:32.467 pg1    patroni    INFO: promoted",
                "23:59:59.000 backup patroni    [1] LOG:  x", "2026-11-26, times in UTC",
                "00:00:00.000 pg1    patroni    y",
            ])
    }

    @Test("colours for hosts and errors, on a terminal alone")
    func colours() throws {
        var text = LogText(hosts: ["a", "b"], style: Style(isColoured: true))
        let style = Style(isColoured: true)
        let line = text.lines(of: try entry("b", "2026-11-25 03:40Z", "no", priority: 3))[1]
        #expect(line.contains(style.green("b")) && line.hasSuffix(style.red("no")))
    }
}
