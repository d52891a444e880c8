extension CronSchedule {
    /// The same as systemd writes it, `Mon..Fri *-*-* 03:15`; nil for what systemd cannot say in one expression.
    ///
    /// Where both the day of the month and the day of the week are given, cron runs on either and systemd on both.
    public var calendar: String? {
        let parts = text.split(separator: " ").map { $0.lowercased() }
        guard parts.count == 5, parts[2].hasPrefix("*") || parts[4] == "*",
            let minute = times(parts[0], first: 0), let hour = times(parts[1], first: 0),
            let day = times(parts[2], first: 1), let month = times(Self.numbering(parts[3]), first: 1),
            let weekdays = weekdays(parts[4])
        else { return nil }
        return "\(weekdays)*-\(month)-\(day) \(hour):\(minute)"
    }

    /// `*` `5` `1-5` `*/10` → `*` `05` `01..05` `00/10`.
    private func times(_ field: String, first: Int) -> String? {
        let items = field.split(separator: ",").map { item -> String? in
            let halves = item.split(separator: "/")
            let step = halves.count == 2 ? "/\(halves[1])" : ""
            if halves[0] == "*" { return step.isEmpty ? "*" : padded(first) + step }
            let ends = halves[0].split(separator: "-").map { Int($0) }
            guard let low = ends.first ?? nil, let high = ends.last ?? nil else { return nil }
            return ends.count == 1 ? padded(low) : "\(padded(low))..\(padded(high))\(step)"
        }
        let known = items.compactMap(\.self)
        guard known.count == items.count else { return nil }
        return known.contains("*") ? "*" : known.joined(separator: ",")
    }

    /// Names of months as their numbers.
    private static func numbering(_ field: String) -> String {
        fields[3].names.enumerated().reduce(field) { $0.replacing($1.element, with: "\($1.offset + 1)") }
    }

    /// The days of the week before the date, in the order of systemd; empty for all of them.
    private func weekdays(_ field: String) -> String? {
        if field == "*" { return "" }
        var days: Set<Int> = []
        for item in field.split(separator: ",") {
            let halves = item.split(separator: "/")
            let step = halves.count == 2 ? Int(halves[1]) ?? 1 : 1
            let ends = halves[0] == "*" ? [0, 6] : halves[0].split(separator: "-").compactMap { Self.day($0) }
            guard let low = ends.first, let high = ends.last, low <= high else { return nil }
            // Monday is the first, and 0 and 7 are Sunday.
            days.formUnion(stride(from: low, through: high, by: step).map { ($0 + 6) % 7 })
        }
        let sorted = days.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        if sorted.count == 7 { return "" }
        let names = sorted.map { Self.weekdayNames[$0] }
        let isRow = sorted.count > 2 && last - first == sorted.count - 1
        return (isRow ? "\(names[0])..\(names[names.count - 1])" : names.joined(separator: ",")) + " "
    }

    private static func day(_ text: Substring) -> Int? { Int(text) ?? fields[4].names.firstIndex(of: String(text)) }

    private static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
