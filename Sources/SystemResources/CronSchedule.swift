import Diagnostics

/// When cron runs something, as its own files say it: `15 3 * * 1-5`, `*/10 * * * *`, `@daily`.
public struct CronSchedule: Sendable {
    struct Field: Sendable {
        let name: String
        let range: ClosedRange<Int>
        var names: [String] = []
        /// What the first of the names stands for.
        var first = 0
    }

    static let fields = [
        Field(name: "minute", range: 0...59),
        Field(name: "hour", range: 0...23),
        Field(name: "day of the month", range: 1...31),
        Field(
            name: "month", range: 1...12,
            names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], first: 1),
        Field(name: "day of the week", range: 0...7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]
    private static let words = [
        "@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly",
    ]

    /// The schedule, with single blanks between its fields.
    public let text: String

    /// - Parameter resource: what has the schedule, for diagnostics.
    /// - Throws: `Diagnostic` that says which part cron would not take.
    public init(_ text: String, of resource: String) throws {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        self.text = parts.joined(separator: " ")
        if parts.count == 1, parts[0].hasPrefix("@") {
            guard !Self.words.contains(parts[0]) else { return }
            throw Diagnostic(
                "\(resource): cron knows no '\(parts[0])'", remedy: "write one of \(Self.words.joined(separator: ", "))"
            )
        }
        guard parts.count == Self.fields.count else {
            throw Diagnostic(
                "\(resource): the schedule '\(text)' has \(parts.count) fields",
                remedy: "write five: minute, hour, day of the month, month, day of the week")
        }
        for (part, field) in zip(parts, Self.fields) {
            for item in part.split(separator: ",", omittingEmptySubsequences: false) where !Self.isGood(item, field) {
                throw Diagnostic(
                    "\(resource): '\(part)' is no \(field.name) in the schedule '\(text)'",
                    remedy: "write *, a number from \(field.range.lowerBound) to \(field.range.upperBound), "
                        + "a range 1-5, a list 1,3 or a step */2")
            }
        }
    }

    /// `*`, `5`, `1-5`, and with a step `*/2`, `1-5/2`.
    private static func isGood(_ item: Substring, _ field: Field) -> Bool {
        let halves = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if halves.count == 2 {
            guard let step = number(halves[1]), 1...field.range.upperBound ~= step else { return false }
        }
        if halves[0] == "*" { return true }
        let ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map {
            value($0, field)
        }
        switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
        case (1, let only?, _): return halves.count == 1 && field.range.contains(only)
        case (2, let low?, let high?): return low <= high && field.range.contains(low) && field.range.contains(high)
        default: return false
        }
    }

    private static func value(_ text: Substring, _ field: Field) -> Int? {
        number(text) ?? field.names.firstIndex(of: text.lowercased()).map { $0 + field.first }
    }

    /// Digits alone: `Int` would take a sign too.
    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}
