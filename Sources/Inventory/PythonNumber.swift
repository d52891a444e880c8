/// The numbers of Python.
enum PythonNumber {
    /// The number without sign as YAML writes it too, or nil when it is none, or is complex.
    static func text(_ text: String) -> String? {
        // Nearly every value is none, which the first character tells.
        guard let first = text.utf8.first, first == UInt8(ascii: ".") || isDigit(first) else { return nil }
        let lower = text.lowercased()
        guard !lower.hasPrefix("_"), !lower.hasSuffix("_"), !lower.contains("__") else { return nil }
        let digits = lower.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return Int(digits.dropFirst(2), radix: radix).map(String.init)
        }
        guard digits.utf8.allSatisfy({ isDigit($0) || ".e+-".utf8.contains($0) }) else { return nil }
        if digits.utf8.allSatisfy(isDigit) {
            // Zeros are one, but no other number begins with zero.
            if digits.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) { return "0" }
            return digits.hasPrefix("0") ? nil : digits
        }
        guard let value = Double(digits), value.isFinite else { return nil }
        let isPlain = !digits.hasPrefix("0") || digits.hasPrefix("0.")
        return isPlain && !digits.hasPrefix(".") && !digits.hasSuffix(".") ? digits : "\(value)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The text of a number as Python prints it: `1e+22`, `1e-07`, `100000.0`.
    static func description(of number: Double) -> String {
        let text = "\(number)"
        guard let mark = text.firstIndex(of: "e") else { return text }
        let mantissa = text[..<mark].hasSuffix(".0") ? text[..<mark].dropLast(2) : text[..<mark]
        guard let exponent = Int(text[text.index(after: mark)...]) else { return text }
        let digits = "\(abs(exponent))"
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (digits.count < 2 ? "0" : "") + digits
    }
}
