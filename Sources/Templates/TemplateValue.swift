import Diagnostics
import Secrets

/// A value that a template can use.
indirect enum TemplateValue: Hashable, Sendable {
    case none
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case secret(Secret)
    case list([TemplateValue])
    case mapping([String: TemplateValue])

    /// What `value` encodes.
    init(_ value: some Encodable) throws {
        let encoder = ValueEncoder()
        try encoder.write(value)
        self = encoder.value
    }
}

/// Turns an `Encodable` into a ``TemplateValue``; each encoder holds one value of the tree.
private final class ValueEncoder: Encoder {
    enum Content {
        case value(TemplateValue)
        case members([String: ValueEncoder])
        case elements([ValueEncoder])
    }

    var content = Content.value(.none)
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var value: TemplateValue {
        switch content {
        case .value(let value): value
        case .members(let members): .mapping(members.mapValues(\.value))
        case .elements(let elements): .list(elements.map(\.value))
        }
    }

    func write(_ value: some Encodable) throws {
        switch value {
        case let value as TemplateSecret: content = .value(.secret(value.wrappedValue))
        case let value as String: content = .value(.text(value))
        case let value as Bool: content = .value(.boolean(value))
        case let value as any BinaryInteger:
            guard let integer = Int(exactly: value) else { throw Diagnostic("the number \(value) is too large") }
            content = .value(.integer(integer))
        case is any BinaryFloatingPoint: throw Diagnostic.fraction
        default: try value.encode(to: self)
        }
    }

    /// The encoder for the member of that name.
    func member(_ name: String) -> ValueEncoder {
        var members: [String: ValueEncoder] = [:]
        if case .members(let earlier) = content { members = earlier }
        let member = members[name] ?? ValueEncoder()
        members[name] = member
        content = .members(members)
        return member
    }

    /// The encoder for one more element.
    func element() -> ValueEncoder {
        let element = ValueEncoder()
        if case .elements(let elements) = content {
            content = .elements(elements + [element])
        } else {
            content = .elements([element])
        }
        return element
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .value = content { content = .members([:]) }
        return KeyedEncodingContainer(Members(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        content = .elements([])
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { _ = encoder.member(key.stringValue) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.member(key.stringValue).write(value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.member(key.stringValue).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key.stringValue).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key.stringValue) }
}

private struct Elements: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { if case .elements(let elements) = encoder.content { elements.count } else { 0 } }

    func encodeNil() { _ = encoder.element() }
    func encode(_ value: some Encodable) throws { try encoder.element().write(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.content = .value(.none) }
    func encode(_ value: some Encodable) throws { try encoder.write(value) }
}

extension Diagnostic {
    /// Why a context has no fractions.
    static let fraction = Diagnostic(
        "a template's context cannot hold a fraction", remedy: "hold a String with the digits that are wanted")
}
