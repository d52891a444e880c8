public import Diagnostics

/// A type that reads itself from a value of a YAML text.
public protocol YAMLDecodable {
    /// - Throws: a `Diagnostic`, or `Diagnostics` with everything that is wrong in the value.
    init(yaml node: YAMLNode) throws
}

extension YAMLNode {
    /// The diagnostic of a value of a wrong type: `expected a whole number, found the string 'abc'`.
    public func mismatch(expected: String, remedy: String? = nil) -> Diagnostic {
        let plainly = "this will be seen, so write it neither encrypted nor from outside"
        return Diagnostic(
            "expected \(expected), found \(self)", at: location,
            remedy: remedy ?? (tag == Self.secretTag ? plainly : nil))
    }

    /// The text of an untagged plain scalar.
    fileprivate var plainText: String? {
        guard tag == nil, case .scalar(let text, plain: true) = value else { return nil }
        return text
    }
}

extension YAMLNode: YAMLDecodable {
    public init(yaml node: YAMLNode) { self = node }
}

extension String: YAMLDecodable {
    /// Takes every scalar as it was written, so `1.10` stays `1.10`; nothing is no string.
    public init(yaml node: YAMLNode) throws {
        if node.isNull { throw node.mismatch(expected: "a string", remedy: "write '' for the empty one") }
        guard node.tag == nil, let text = node.text else { throw node.mismatch(expected: "a string") }
        self = text
    }
}

extension Int: YAMLDecodable {
    /// Takes digits in quotes, too, as Ansible does where a number is meant.
    public init(yaml node: YAMLNode) throws {
        if node.tag == nil, let text = node.text, let value = CoreSchema.int(text) {
            self = value
            return
        }
        var remedy: String?
        if let text = node.plainText, CoreSchema.hasLeadingZero(text) {
            let digits = String(text.drop { $0 == "0" })
            remedy = "write 0o\(digits) for octal digits, \(digits.isEmpty ? "0" : digits) for decimal ones"
        }
        throw node.mismatch(expected: "a whole number", remedy: remedy)
    }
}

extension Double: YAMLDecodable {
    public init(yaml node: YAMLNode) throws {
        guard let value = node.plainText.flatMap(CoreSchema.double) else { throw node.mismatch(expected: "a number") }
        self = value
    }
}

extension Bool: YAMLDecodable {
    /// Takes `yes` and `no`, too, and what else Ansible takes where it wants to know whether something is so.
    ///
    /// Source: ansible-core 2.19, module_utils/parsing/convert_bool.py.
    public init(yaml node: YAMLNode) throws {
        switch node.tag == nil ? node.text?.lowercased() : nil {
        case "true", "yes", "on", "y", "t", "1": self = true
        case "false", "no", "off", "n", "f", "0": self = false
        default: throw node.mismatch(expected: "true or false")
        }
    }
}

extension Optional: YAMLDecodable where Wrapped: YAMLDecodable {
    public init(yaml node: YAMLNode) throws {
        self = node.isNull ? nil : try Wrapped(yaml: node)
    }
}

extension Array: YAMLDecodable where Element: YAMLDecodable {
    public init(yaml node: YAMLNode) throws {
        guard node.tag == nil, case .sequence(let nodes) = node.value else {
            throw node.mismatch(expected: "a list")
        }
        var diagnostics = Diagnostics()
        self = try nodes.compactMap { node in try diagnostics.collect { try Element(yaml: node) } }
        try diagnostics.throwIfAny()
    }
}

extension Dictionary: YAMLDecodable where Key == String, Value: YAMLDecodable {
    public init(yaml node: YAMLNode) throws {
        guard node.tag == nil, case .mapping(let entries) = node.value else {
            throw node.mismatch(expected: "a mapping")
        }
        self.init(minimumCapacity: entries.count)
        var diagnostics = Diagnostics()
        for entry in entries {
            guard let key = entry.key.text else { continue }
            self[key] = try diagnostics.collect { try Value(yaml: entry.value) }
        }
        try diagnostics.throwIfAny()
    }
}

extension YAMLDecodable where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Takes one of the raw values.
    public init(yaml node: YAMLNode) throws {
        let text = try String(yaml: node)
        guard let value = Self(rawValue: text) else {
            let words = Self.allCases.map(\.rawValue)
            throw Diagnostic(
                "unknown value '\(text)'", at: node.location,
                remedy: Suggestion.remedy(for: text, among: words) ?? "write one of \(words.joined(separator: ", "))")
        }
        self = value
    }
}
