/// A moment on a host's own clock.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    public let nanoseconds: Int

    public init(nanoseconds: Int) {
        self.nanoseconds = nanoseconds
    }

    /// Reads `1732254985.123456789`, as `stat -c %.9Y` prints it.
    init?(seconds text: some StringProtocol) {
        let parts = text.split(separator: ".")
        guard parts.count == 2, parts[1].count == 9, let seconds = Int(parts[0]), let fraction = Int(parts[1]),
            seconds.magnitude < 9_000_000_000
        else {
            return nil
        }
        self.init(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    /// Reads `Sun 2026-11-22 05:56:25.123456 UTC`, as `systemctl show --timestamp=us+utc` prints it.
    init?(systemd text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 4, words[3] == "UTC" else { return nil }
        let date = words[1].split(separator: "-").compactMap { Int($0) }
        let time = words[2].split(whereSeparator: { $0 == ":" || $0 == "." }).compactMap { Int($0) }
        // A host's answer is not trusted: numbers out of range would overflow below.
        guard date.count == 3, time.count == 4, (1970..<2200).contains(date[0]), (1...12).contains(date[1]),
            (1...31).contains(date[2]), (0..<24).contains(time[0]), (0..<60).contains(time[1]),
            (0...60).contains(time[2]), (0..<1_000_000).contains(time[3])
        else { return nil }
        let days = Timestamp.days(year: date[0], month: date[1], day: date[2])
        let seconds = days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
        self.init(nanoseconds: seconds * 1_000_000_000 + time[3] * 1_000)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Days from 1970-01-01 to a day of the Gregorian calendar, by counting years that begin in March, so that the
    /// leap day is a year's last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
        return year * 365 + year / 4 - year / 100 + year / 400 + daysBeforeMonth + day - 719_469
    }
}
