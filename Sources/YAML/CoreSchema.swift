/// What plain scalars mean in YAML 1.2 (its Core Schema, section 10.3.2): `yes` and `0644` are strings.
enum CoreSchema {
    static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// The whole number, or nil. A decimal with leading zeros is refused: YAML 1.1 read it as octal, 1.2 does not.
    static func int(_ text: String) -> Int? {
        if text.hasPrefix("0o") { return digits(text.dropFirst(2), radix: 8) }
        if text.hasPrefix("0x") { return digits(text.dropFirst(2), radix: 16) }
        return hasLeadingZero(text) ? nil : Int(text)
    }

    static func hasLeadingZero(_ text: String) -> Bool {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        return digits.count > 1 && digits.hasPrefix("0") && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func digits(_ text: Substring, radix: Int) -> Int? {
        // Int(_:radix:) takes a sign, which these forms do not have.
        text.first == "-" || text.first == "+" ? nil : Int(text, radix: radix)
    }

    /// The finite number, or nil.
    static func double(_ text: String) -> Double? {
        if let int = int(text) { return Double(int) }
        // Double(_:) takes more than YAML does: hexadecimal fractions, `inf`, `nan`.
        guard text.allSatisfy({ "0123456789+-.eE".contains($0) }), !hasLeadingZero(text) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
