import FoundationEssentials

/// A message of a daemon.
public struct LogEntry: Hashable, Sendable {
    public let time: Moment
    public let host: String
    /// Without its ending: `patroni`. `postgresql` for what is in files of PostgreSQL, `kernel` for the kernel's.
    public let unit: String
    /// From 0, the host is unusable, to 7, for whoever looks for a defect.
    public let priority: Int
    /// As it came from the host: a terminal must not get it as it is.
    public let message: String
}

extension LogEntry {
    /// A line of `journalctl --output=json`; nil when it is something else.
    init?(journal line: some Sequence<UInt8>, of host: String) {
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)), let time = Int(record.time) else {
            return nil
        }
        let name = record.subject ?? record.unit ?? (record.transport == "kernel" ? "kernel" : record.identifier) ?? "-"
        self.init(
            time: Moment(microseconds: time), host: host,
            unit: name.hasSuffix(".service") ? String(name.dropLast(".service".count)) : name,
            priority: record.priority.flatMap { Int($0) } ?? 6, message: record.message?.text ?? Self.tooLong)
    }

    /// `journalctl` leaves out what is longer than 4 KiB.
    private static let tooLong = "(a message of more than 4 KiB)"

    private struct Record: Decodable {
        let time: String
        let unit: String?
        /// The unit about which systemd writes.
        let subject: String?
        let transport: String?
        let identifier: String?
        let priority: String?
        let message: Message?

        enum CodingKeys: String, CodingKey {
            case time = "__REALTIME_TIMESTAMP"
            case unit = "_SYSTEMD_UNIT", subject = "UNIT", transport = "_TRANSPORT", identifier = "SYSLOG_IDENTIFIER"
            case priority = "PRIORITY", message = "MESSAGE"
        }
    }

    /// A text, or its bytes when they are no UTF-8.
    private struct Message: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else {
                text = String(decoding: try container.decode([UInt8].self), as: UTF8.self)
            }
        }
    }
}

extension LogEntry {
    /// A line of a file of PostgreSQL.
    ///
    /// - Parameters:
    ///   - zone: the host's, such as `+0100`, for a line that names one that is not the same at all times.
    ///   - previous: when the line before was written, for one that continues it.
    init?(file line: String, of host: String, zone: String, after previous: Moment?) {
        guard let time = Self.time(in: line, zone: zone) ?? previous else { return nil }
        self.init(time: time, host: host, unit: "postgresql", priority: 6, message: line)
    }

    private static func time(in line: String, zone: String) -> Moment? {
        guard let found = line.firstMatch(of: /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) (\S+)/)?.output else {
            return nil
        }
        return (try? Moment("\(found.1) \(found.2)")) ?? (try? Moment("\(found.1) \(zone)"))
    }
}
