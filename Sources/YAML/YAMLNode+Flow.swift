extension YAMLNode {
    /// The value as YAML text on one line, with its tag: `{ option: max_connections, value: "500" }`.
    public var flow: String {
        let text: String
        switch value {
        case .scalar(let scalar, let plain): text = plain ? scalar : Self.quoted(scalar)
        case .sequence(let elements): text = "[" + elements.map(\.flow).joined(separator: ", ") + "]"
        case .mapping(let entries):
            let parts = entries.map { "\($0.key.flow): \($0.value.flow)" }
            text = parts.isEmpty ? "{}" : "{ " + parts.joined(separator: ", ") + " }"
        }
        return tag.map { "\($0) \(text)" } ?? (text.isEmpty ? "null" : text)
    }

    /// Without quotes where no reader could take it for something else.
    private static func quoted(_ text: String) -> String {
        let isWord = text.wholeMatch(of: /[A-Za-z_\/][A-Za-z0-9_.\/-]*/) != nil
        let hasMeaning = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        if isWord, !hasMeaning { return text }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7f {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\x" + (digits.count == 1 ? "0" : "") + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
