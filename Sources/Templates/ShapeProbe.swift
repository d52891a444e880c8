import Diagnostics
import Secrets

extension Shape {
    /// The names that a context of this type holds, and their shapes.
    ///
    /// Asks the type to decode itself from a decoder that has an answer to every question: each array has one
    /// element, each optional has a value.
    static func members(of type: (some TemplateContext).Type) throws -> [String: Shape] {
        let probe = ShapeProbe(depth: 0)
        _ = try probe.example(type)
        guard case .mapping(let members) = probe.shape else {
            throw Diagnostic("the context '\(type)' holds no names")
        }
        return members
    }
}

/// Learns the shape of a `Decodable` type; each probe holds one place of the tree.
private final class ShapeProbe: Decoder {
    enum Content {
        case shape(Shape)
        case members([String: ShapeProbe])
        case element(ShapeProbe)
    }

    var content = Content.members([:])
    /// Whether the type asked if there is a value at all.
    var isOptional = false
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(depth: Int) {
        self.depth = depth
    }

    var shape: Shape {
        let shape =
            switch content {
            case .shape(let shape): shape
            case .members(let members): Shape.mapping(members.mapValues(\.shape))
            case .element(let probe): Shape.list(probe.shape)
            }
        return isOptional ? .optional(shape) : shape
    }

    /// A value of that type, whose shape is kept.
    func example<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is String.Type: return try leaf(.text, "")
        case is Bool.Type: return try leaf(.boolean, false)
        case is TemplateSecret.Type: return try leaf(.secret, TemplateSecret(wrappedValue: Secret("")))
        case let type as any BinaryInteger.Type: return try leaf(.integer, type.init(0))
        case is any BinaryFloatingPoint.Type: throw Diagnostic.fraction
        case let type as any (CaseIterable & Encodable).Type: return try leaf(firstCase(of: type))
        default:
            guard depth < 32 else { throw Diagnostic("the type '\(type)' of a template's context contains itself") }
            do {
                return try Value(from: self)
            } catch is DecodingError {
                throw Diagnostic(
                    "the type '\(type)' of a template's context cannot be probed",
                    remedy: "conform it to CaseIterable, or hold a String")
            }
        }
    }

    private func firstCase<Cases: CaseIterable & Encodable>(of type: Cases.Type) throws -> (Shape, Any) {
        guard let first = type.allCases.first else { throw Diagnostic("the enumeration '\(type)' has no case") }
        switch try TemplateValue(first) {
        case .text: return (.text, first)
        case .integer: return (.integer, first)
        default: throw Diagnostic("a template cannot use '\(type)'", remedy: "give it a raw type of String or Int")
        }
    }

    private func leaf<Value>(_ leaf: (shape: Shape, example: Any)) throws -> Value {
        content = .shape(leaf.shape)
        guard let example = leaf.example as? Value else { throw Diagnostic("a template cannot use '\(Value.self)'") }
        return example
    }

    private func leaf<Value>(_ shape: Shape, _ example: Any) throws -> Value { try leaf((shape, example)) }

    /// The probe for the member of that name.
    func member(_ name: String) -> ShapeProbe {
        var members: [String: ShapeProbe] = [:]
        if case .members(let earlier) = content { members = earlier }
        let member = members[name] ?? ShapeProbe(depth: depth + 1)
        members[name] = member
        content = .members(members)
        return member
    }

    /// The probe for the elements.
    func element() -> ShapeProbe {
        if case .element(let probe) = content { return probe }
        let probe = ShapeProbe(depth: depth + 1)
        content = .element(probe)
        return probe
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(probe: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: ShapeProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool {
        probe.member(key.stringValue).isOptional = true
        return false
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try probe.member(key.stringValue).example(type)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        probe.member(key.stringValue).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        probe.member(key.stringValue).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { probe.member("super") }
    func superDecoder(forKey key: Key) -> any Decoder { probe.member(key.stringValue) }
}

private struct Elements: UnkeyedDecodingContainer {
    let probe: ShapeProbe
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    init(probe: ShapeProbe) {
        self.probe = probe
    }

    private mutating func next() -> ShapeProbe {
        currentIndex += 1
        return probe.element()
    }

    mutating func decodeNil() -> Bool {
        probe.element().isOptional = true
        return false
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().example(type) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { next().unkeyedContainer() }
    mutating func superDecoder() -> any Decoder { next() }
}

private struct Single: SingleValueDecodingContainer {
    let probe: ShapeProbe
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        probe.isOptional = true
        return false
    }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try probe.example(type) }
}
