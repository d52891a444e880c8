import YAML

/// JSON in the form in which Python prints it: sorted, indented by four blanks.
indirect enum JSONText {
    case array([JSONText])
    case object([(String, JSONText)])
    case string(String)
    /// `null`, `true`, a number.
    case word(String)

    /// The value as YAML 1.2 understands it, but for Ansible's further words of true and false, with secrets masked.
    init(_ node: YAMLNode) {
        guard node.tag == nil else {
            self = SecretName.masked
            return
        }
        switch node.value {
        case .sequence(let elements): self = .array(elements.map(JSONText.init))
        case .mapping(let entries):
            // The form in which lists of options are written: { option: repo1-cipher-pass, value: ... }.
            let option = node["option"]?.text.map(SecretName.isSecret) ?? false
            self = .object(
                entries.map { entry in
                    let key = entry.key.text ?? ""
                    let isSecret = SecretName.isSecret(key) || option && key == "value"
                    return (key, isSecret ? SecretName.masked : JSONText(entry.value))
                })
        case .scalar(let text, let plain): self = JSONText.scalar(text, node, plain: plain)
        }
    }

    private static func scalar(_ text: String, _ node: YAMLNode, plain: Bool) -> JSONText {
        guard plain else { return .string(text) }
        if node.isNull { return .word("null") }
        if let bool = node.truth ?? ansibleTruth(text) { return .word("\(bool)") }
        if let int = try? Int(yaml: node) { return .word("\(int)") }
        if let double = try? Double(yaml: node) { return .word(PythonNumber.description(of: double)) }
        return .string(text)
    }

    /// The further words that YAML 1.1 has for true and false, as far as PyYAML and so Ansible know them.
    private static func ansibleTruth(_ text: String) -> Bool? {
        switch text {
        case "yes", "Yes", "YES", "on", "On", "ON": true
        case "no", "No", "NO", "off", "Off", "OFF": false
        default: nil
        }
    }
}

extension JSONText: CustomStringConvertible {
    var description: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text
    }

    /// The text on one line.
    var line: String {
        description.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    private func write(to text: inout String, indent: String) {
        let deeper = indent + "    "
        switch self {
        case .word(let word): text += word
        case .string(let string): JSONText.write(string, to: &text)
        case .array(let elements):
            guard !elements.isEmpty else { return text += "[]" }
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "[" : ",") + deeper
                element.write(to: &text, indent: deeper)
            }
            text += indent + "]"
        case .object(let members):
            guard !members.isEmpty else { return text += "{}" }
            let sorted = members.sorted { $0.0.unicodeScalars.lexicographicallyPrecedes($1.0.unicodeScalars) }
            for (index, member) in sorted.enumerated() {
                text += (index == 0 ? "{" : ",") + deeper
                JSONText.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: deeper)
            }
            text += indent + "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{c}": text += "\\f"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
