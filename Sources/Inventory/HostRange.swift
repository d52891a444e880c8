/// Ansible's host patterns: `db[01:10]`, `web[a:f]`, `n[1:9:2]`, several brackets too.
///
/// Source: ansible/plugins/inventory/__init__.py, `expand_hostname_range`.
enum HostRange {
    /// Why a pattern names no hosts.
    struct Fault: Error {
        var message: String
        var remedy: String?
    }

    /// More hosts than any inventory means to name by one line.
    static let greatestCount = 10_000

    /// The names that `pattern` stands for; itself when it has no brackets.
    static func expand(_ pattern: String) throws(Fault) -> [String] {
        guard let open = pattern.firstIndex(of: "[") else {
            guard !pattern.contains("]") else { throw Fault(message: "'\(pattern)' has a ']' without a '['") }
            return [pattern]
        }
        guard let close = pattern[open...].firstIndex(of: "]") else {
            throw Fault(message: "'\(pattern)' has a '[' without a ']'")
        }
        let head = pattern[..<open]
        let middles = try elements(of: String(pattern[pattern.index(after: open)..<close]))
        let tails = try expand(String(pattern[pattern.index(after: close)...]))
        guard middles.count * tails.count <= greatestCount else {
            throw Fault(message: "'\(pattern)' names more than \(greatestCount) hosts")
        }
        return middles.flatMap { middle in tails.map { head + middle + $0 } }
    }

    private static func elements(of range: String) throws(Fault) -> [String] {
        let parts = range.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let form = "write [FIRST:LAST] or [FIRST:LAST:STEP]"
        guard parts.count == 2 || parts.count == 3, let last = parts.dropFirst().first, !last.isEmpty else {
            throw Fault(message: "'[\(range)]' is no range", remedy: form)
        }
        let step = parts.count == 3 ? number(parts[2]) ?? 0 : 1
        guard step > 0 else { throw Fault(message: "the step '\(parts[2])' is no whole number above 0", remedy: form) }
        let first = parts[0].isEmpty ? "0" : parts[0]
        if let low = number(first), let high = number(last) {
            try checkOrder(low, high, range)
            // A leading zero fixes the width of all.
            let width = first.hasPrefix("0") && first.count > 1 ? first.count : 0
            guard width == 0 || width == last.count else {
                let wide = max(width, last.count)
                throw Fault(
                    message: "the ends of '[\(range)]' differ in width",
                    remedy: "write [\(padded(first, to: wide)):\(padded(last, to: wide))]")
            }
            guard (high - low) / step < greatestCount else {
                throw Fault(message: "'[\(range)]' names more than \(greatestCount) hosts")
            }
            return stride(from: low, through: high, by: step).map { padded(String($0), to: width) }
        }
        guard let low = letter(first), let high = letter(last), (low < 97) == (high < 97) else {
            throw Fault(message: "the ends of '[\(range)]' are neither two numbers nor two letters", remedy: form)
        }
        try checkOrder(low, high, range)
        return stride(from: low, through: high, by: step).map { String(Unicode.Scalar(UInt8($0))) }
    }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func checkOrder(_ low: Int, _ high: Int, _ range: String) throws(Fault) {
        if low > high { throw Fault(message: "the range '[\(range)]' ends before it begins") }
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    /// The code of a text of one letter.
    private static func letter(_ text: String) -> Int? {
        guard text.utf8.count == 1, let code = text.utf8.first, text.first?.isLetter == true else { return nil }
        return Int(code)
    }
}
