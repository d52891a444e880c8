public import Secrets

/// A text in a formal language into which no value comes as it is: ``ShellText``, for instance.
///
/// It is written as a literal. A value in it must say how it is made part of the language, as `\(quoting: path)` does in shell
/// text; a string without that does not compile. An extension of ``StringInterpolation`` declares which ways a `Language` has.
public struct CheckedText<Language>: Hashable, Sendable {
    /// The text as it is written to a file, its secrets marked.
    public private(set) var masked: MaskedText

    /// The empty text.
    public init() { masked = MaskedText() }

    /// A text that is right for another reason than its type.
    ///
    /// - Parameter reason: why it means nothing else than it should, for who reads the source.
    public init(trusted text: String, because reason: StaticString) { masked = MaskedText(text) }

    public var isEmpty: Bool { masked.pieces.isEmpty }

    /// The whole text with its secrets, for a place that keeps them.
    public func reveal() -> String { masked.reveal() }

    public static func += (text: inout Self, more: Self) { text.masked.append(more.masked) }

    public static func + (first: Self, second: Self) -> Self {
        var text = first
        text += second
        return text
    }
}

extension CheckedText: CustomStringConvertible {
    /// The text with every secret masked.
    public var description: String { masked.description }
}

extension CheckedText: ExpressibleByStringInterpolation {
    /// A string that is made at run time is no literal.
    public init(stringLiteral text: StaticString) { masked = MaskedText(text.description) }

    public init(stringInterpolation: StringInterpolation) { masked = stringInterpolation.masked }

    /// What a literal may hold whatever its language.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var masked = MaskedText()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: StaticString) { append(text.description) }

        public mutating func appendInterpolation(_ text: CheckedText<Language>) { append(text.masked) }

        public mutating func appendInterpolation(_ number: some BinaryInteger) { append("\(number)") }

        /// A text that is right for another reason than its type, which is stated for who reads the source.
        public mutating func appendInterpolation(trusted text: String, because reason: StaticString) { append(text) }

        /// For the ways in which a language takes values, after these were made safe.
        package mutating func append(_ text: String) { masked.append(text) }
        package mutating func append(_ secret: Secret) { masked.append(secret) }
        package mutating func append(_ text: MaskedText) { masked.append(text) }
    }
}

extension MaskedText.StringInterpolation {
    /// A text of whatever language as it is, its secrets among them.
    public mutating func appendInterpolation<Language>(_ text: CheckedText<Language>) {
        appendInterpolation(text.masked)
    }
}

extension Sequence {
    /// The texts one after the other.
    public func joined<Language>(separator: CheckedText<Language> = CheckedText()) -> CheckedText<Language>
    where Element == CheckedText<Language> {
        var joined = CheckedText<Language>()
        for (index, text) in enumerated() {
            if index > 0 { joined += separator }
            joined += text
        }
        return joined
    }
}
