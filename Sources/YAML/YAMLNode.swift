public import Diagnostics

/// A value of a YAML text, with its place.
public struct YAMLNode: Sendable {
    /// A scalar, a sequence or a mapping.
    public indirect enum Value: Sendable {
        /// A text; `plain` when it stood there without quotes, so that it may also be a number, a Bool or nothing.
        case scalar(String, plain: Bool)
        case sequence([YAMLNode])
        /// The entries in the order of the text. Each key is a scalar and occurs once.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    public var value: Value
    /// Where the value begins; for an alias, where its anchor is.
    public var location: SourceLocation
    /// The tag as written, such as `!env`, or nil.
    public var tag: String?

    public init(_ value: Value, at location: SourceLocation, tag: String? = nil) {
        self.value = value
        self.location = location
        self.tag = tag
    }

    /// The tag of a value that was encrypted or comes from outside, once it is known: it must not be shown.
    public static let secretTag = "!secret"

    /// The text of a scalar as it was written, or nil.
    public var text: String? {
        if case .scalar(let text, _) = value { text } else { nil }
    }

    /// Whether this is nothing, as YAML 1.2 has it: an empty plain scalar, `~` or `null`.
    public var isNull: Bool {
        guard tag == nil, case .scalar(let text, plain: true) = value else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The value of that key, or nil when there is none or this is no mapping.
    public subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.first { $0.key.text == key }?.value
    }
}

extension YAMLNode {
    /// What it is when it is a plain `true` or `false`; nil for anything else, also for what a person may mean by such.
    public var truth: Bool? {
        guard tag == nil, case .scalar(let text, plain: true) = value else { return nil }
        return CoreSchema.bool(text)
    }
}

extension YAMLNode: CustomStringConvertible {
    /// What this is, for a diagnostic: `the string 'abc'`, `a list`.
    public var description: String {
        if let tag { return tag == Self.secretTag ? "a secret" : "a value tagged '\(tag)'" }
        switch value {
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        case .scalar(let text, let plain):
            if isNull { return "nothing" }
            if plain, CoreSchema.bool(text) != nil { return text }
            if plain, CoreSchema.double(text) != nil { return "the number \(text)" }
            return "the string '\(text)'"
        }
    }
}
