extension MaskedText: ExpressibleByStringInterpolation {
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

    /// Values in a literal: secrets among them stay secret.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = MaskedText()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text.append(literal) }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) { text.append("\(value)") }

        public mutating func appendInterpolation(_ secret: Secret) { text.append(secret) }

        public mutating func appendInterpolation(_ other: MaskedText) { text.append(other) }
    }
}
