/// A moment, to the microsecond, as PostgreSQL counts.
public struct Moment: Hashable, Comparable, Sendable {
    /// Since 1970-01-01 00:00 UTC.
    public let microseconds: Int

    public init(microseconds: Int) {
        self.microseconds = microseconds
    }

    public init(seconds: Int) {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    func adding(seconds: Int) -> Moment { Moment(microseconds: microseconds + seconds * 1_000_000) }

    /// What is wrong with a text that is to be a moment.
    public enum Fault: Error, Hashable {
        /// Nothing says in which zone the clock stood, or only a name that means another time in summer.
        case zone
        /// It is no date with a time.
        case form
    }

    /// Reads `2026-11-22 15:04:05.25+01:00`. The zone is an offset, `Z` or `UTC`; seconds and their fraction may be left out.
    ///
    /// - Throws: ``Fault``.
    public init(_ text: String) throws(Fault) {
        let form = /(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(.*)/
        guard let parts = text.wholeMatch(of: form)?.output else { throw .form }
        func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
        let (year, month, day) = (number(parts.1), number(parts.2), number(parts.3))
        let (hour, minute, second) = (number(parts.4), number(parts.5), number(parts.6))
        guard (1...12).contains(month), (1...Moment.days(of: month, in: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { throw .form }
        let fraction = number(parts.7.map { $0 + String(repeating: "0", count: 6 - $0.count) })
        let offset = try Moment.offset(parts.8.drop { $0 == " " })
        let minutes = (Moment.days(until: year, month, day) * 24 + hour) * 60 + minute - offset
        microseconds = (minutes * 60 + second) * 1_000_000 + fraction
    }

    /// East of Greenwich, in minutes.
    private static func offset(_ zone: Substring) throws(Fault) -> Int {
        if ["Z", "z", "UTC", "utc", "GMT"].contains(zone) { return 0 }
        guard let parts = zone.wholeMatch(of: /([+-])(\d\d)(?::?(\d\d))?/)?.output, let hours = Int(parts.2),
            let minutes = Int(parts.3 ?? "0"), hours < 16, minutes < 60
        else { throw .zone }
        return (hours * 60 + minutes) * (parts.1 == "-" ? -1 : 1)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// From 1970-01-01 on, in the Gregorian calendar: years begin in March, so that the day that some have comes last.
    private static func days(until year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let (era, yearOfEra) = (years / 400, years % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    public static func < (left: Moment, right: Moment) -> Bool { left.microseconds < right.microseconds }
}

extension Moment: CustomStringConvertible {
    /// `2026-11-22 15:04:05.25 UTC`.
    public var description: String {
        var text = literal.dropLast(3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text + " UTC"
    }

    /// As PostgreSQL reads it, and pgBackRest: `2026-11-22 15:04:05.250000+00`.
    var literal: String {
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let date = "\(year)-\(padded(month))-\(padded(dayOfYear - (153 * part + 2) / 5 + 1))"
        let time = "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
        return "\(date) \(time).\(padded(fraction, to: 6))+00"
    }

    private func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
