public import Diagnostics

/// Reads a mapping key by key and finds everything that is wrong with it, also the keys that nobody asked for.
///
///     var reader = try MappingReader(node, what: "a server")
///     let name = reader.required("name", as: String.self)
///     port = reader.optional("port") ?? 5432
///     self.name = try reader.finish(name)
public struct MappingReader {
    /// What was found wrong so far; a caller may add what it finds itself.
    public var diagnostics = Diagnostics()
    private let location: SourceLocation
    private let what: String
    /// What a key is called, and what to do when one is missing, for diagnostics.
    private let noun: String
    private let remedy: String?
    private let keys: [YAMLNode]
    private let values: [String: YAMLNode]
    private var asked: Set<String> = []

    /// - Parameter what: what the mapping describes, for diagnostics: `a server`.
    /// - Throws: a `Diagnostic` when the node is no mapping.
    public init(_ node: YAMLNode, what: String) throws(Diagnostic) {
        guard node.tag == nil, case .mapping(let entries) = node.value else {
            throw node.mismatch(expected: "a mapping for \(what)")
        }
        self.init(entries, at: node.location, what: what, noun: "key")
    }

    /// - Parameters:
    ///   - entries: what is to be read, by scalar keys.
    ///   - location: where somebody would look for what is missing.
    ///   - noun: what a key is called: `variable`.
    ///   - remedy: what to do when a required one is missing.
    public init(
        _ entries: [(key: YAMLNode, value: YAMLNode)], at location: SourceLocation, what: String, noun: String,
        remedy: String? = nil
    ) {
        self.location = location
        self.what = what
        self.noun = noun
        self.remedy = remedy
        keys = entries.map(\.key)
        values = Dictionary(entries.map { ($0.key.text ?? "", $0.value) }) { first, _ in first }
    }

    /// The value of a key that must be there, or nil when a fault was reported.
    public mutating func required<Value: YAMLDecodable>(_ key: String, as type: Value.Type = Value.self) -> Value? {
        asked.insert(key)
        guard let node = values[key] else {
            diagnostics.report("the \(noun) '\(key)' of \(what) is missing", at: location, remedy: remedy)
            return nil
        }
        return decode(node)
    }

    /// The value of a key, or nil when it is absent, is nothing, or a fault was reported.
    public mutating func optional<Value: YAMLDecodable>(_ key: String, as type: Value.Type = Value.self) -> Value? {
        asked.insert(key)
        guard let node = values[key], !node.isNull else { return nil }
        return decode(node)
    }

    private mutating func decode<Value: YAMLDecodable>(_ node: YAMLNode) -> Value? {
        do {
            return try diagnostics.collect { try Value(yaml: node) }
        } catch {
            diagnostics.report("\(error)", at: node.location)
            return nil
        }
    }

    /// Reports the keys that nobody asked for, and unwraps the required values.
    ///
    /// - Throws: everything that was found wrong.
    public mutating func finish<each Value>(
        _ values: repeat (each Value)?
    ) throws(Diagnostics) -> (repeat each Value) {
        for key in keys {
            guard let name = key.text, !asked.contains(name) else { continue }
            diagnostics.report(
                "unknown \(noun) '\(name)' in \(what)", at: key.location,
                remedy: Suggestion.remedy(for: name, among: asked)
                    ?? "the \(noun)s are \(asked.sorted().joined(separator: ", "))")
        }
        try diagnostics.throwIfAny()
        return (repeat try unwrap(each values))
    }

    private func unwrap<Value>(_ value: Value?) throws(Diagnostics) -> Value {
        guard let value else { throw Diagnostics([Diagnostic("\(what) is incomplete", at: location)]) }
        return value
    }
}
