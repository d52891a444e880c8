/// The value with which a parameter of PostgreSQL is in force, as `pg_settings` tells it.
struct RunningValue: Hashable, Sendable {
    enum Kind: String, Sendable {
        case bool, integer, real, string
        case choice = "enum"
    }

    let text: String
    let kind: Kind
    /// In what it is counted: `8kB`, `ms` …; empty when it is a mere number.
    let unit: String

    init(_ text: String, kind: Kind, unit: String = "") {
        self.text = text
        self.kind = kind
        self.unit = unit
    }

    /// Whether a value, as people write it, means the same: `64MB` is 8192 of `8kB`, `yes` is `on`.
    func equals(_ value: String) -> Bool {
        switch kind {
        case .string: value == text
        case .choice:
            value.lowercased() == text.lowercased() || RunningValue.truth(value).map(RunningValue.word) == text
        case .bool: RunningValue.truth(value) == RunningValue.truth(text)
        case .integer, .real:
            if let own = Double(text), let other = number(value) { own == other } else { value == text }
        }
    }

    private static func word(_ truth: Bool) -> String { truth ? "on" : "off" }

    /// PostgreSQL takes every unambiguous beginning of these words (15, 20.1.1).
    private static func truth(_ value: String) -> Bool? {
        let word = value.lowercased()
        if word.isEmpty { return nil }
        if word == "1" || word == "on" || "true".hasPrefix(word) || "yes".hasPrefix(word) { return true }
        if word == "0" || (word.count > 1 && "off".hasPrefix(word)) || "false".hasPrefix(word) || "no".hasPrefix(word) {
            return false
        }
        return nil
    }

    /// A number with or without a unit, counted in the unit of the parameter. PostgreSQL rounds to whole ones.
    private func number(_ value: String) -> Double? {
        let digits = value.prefix { $0.isNumber || "+-.".contains($0) }
        guard let number = Double(digits) else { return nil }
        let suffix = value.dropFirst(digits.count).trimmingPrefix { $0 == " " }
        if suffix.isEmpty { return number }
        guard let size = RunningValue.size(of: String(suffix)), let own = RunningValue.size(of: unit),
            size.isTime == own.isTime
        else { return nil }
        let converted = number * size.amount / own.amount
        return kind == .integer ? converted.rounded() : converted
    }

    /// In bytes, or in microseconds: `8kB` is 8192.
    private static func size(of unit: String) -> (amount: Double, isTime: Bool)? {
        let digits = unit.prefix(while: \.isNumber)
        let times = digits.isEmpty ? 1 : Double(digits) ?? 1
        switch unit.dropFirst(digits.count) {
        case "B": return (times, false)
        case "kB": return (times * 1024, false)
        case "MB": return (times * 1_048_576, false)
        case "GB": return (times * 1_073_741_824, false)
        case "TB": return (times * 1_099_511_627_776, false)
        case "us": return (times, true)
        case "ms": return (times * 1000, true)
        case "s": return (times * 1_000_000, true)
        case "min": return (times * 60_000_000, true)
        case "h": return (times * 3_600_000_000, true)
        case "d": return (times * 86_400_000_000, true)
        default: return nil
        }
    }
}
