import DroverCLI
import FoundationEssentials
import PostgresCluster

/// Messages of daemons as lines.
struct LogText {
    private let style: Style
    private let columns: [String: String]
    private let unitWidth: Int
    /// The day of the last message.
    private var day = ""

    /// - Parameters:
    ///   - hosts: each gets a colour, and all the same width.
    ///   - unitWidth: that of the longest name of a unit.
    init(hosts: [String], unitWidth: Int = 10, style: Style) {
        self.style = style
        self.unitWidth = unitWidth
        let width = hosts.map(\.count).max() ?? 0
        let colours = [style.cyan, style.green, style.magenta, style.yellow]
        columns = Dictionary(
            uniqueKeysWithValues: hosts.enumerated().map { index, host in
                (host, colours[index % colours.count](Text.padded(host, width)))
            })
    }

    /// The lines of one more message. The day stands on a line of its own.
    mutating func lines(of entry: LogEntry) -> [String] {
        let time = entry.time.description
        let day = String(time.prefix(10))
        let message = Text.printable(Self.withoutTime(entry.message))
        let head = [
            style.faint(Self.clock(entry.time)), columns[entry.host] ?? entry.host,
            Text.padded(entry.unit, unitWidth),
        ].joined(separator: " ")
        let line = "\(head) \(entry.priority <= 3 ? style.red(message) : message)"
        defer { self.day = day }
        return day == self.day ? [line] : [style.faint("\(day), times in UTC"), line]
    }

    /// The message as JSON, on one line.
    static func json(of entry: LogEntry) -> some Encodable {
        Line(
            time: timestamp(entry.time), host: entry.host, unit: entry.unit, priority: entry.priority,
            message: entry.message)
    }

    /// `2026-11-25T03:40:28.946123Z`.
    static func timestamp(_ time: Moment) -> String {
        time.description.replacing(" UTC", with: "Z").replacing(" ", with: "T")
    }

    private struct Line: Encodable {
        let time: String
        let host: String
        let unit: String
        let priority: Int
        let message: String
    }

    /// `03:40:28.946`.
    static func clock(_ time: Moment) -> String {
        let text = time.description.dropFirst(11).dropLast(4)
        let parts = text.split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1].prefix(3)) : ""
        return "\(parts[0]).\(fraction)\(String(repeating: "0", count: 3 - fraction.count))"
    }

    /// Most daemons begin their messages with the time, which the line has already.
    private static func withoutTime(_ message: String) -> String {
        String(message.trimmingPrefix(#/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{3}( [A-Z]{3,4})? /#))
    }
}
