/// The name of one request to a shell: a nonce, which no output can hold by chance or guess.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    public let description: String

    /// A new one, from the system's random number generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        description = (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The one that was written down as `text`, or nil when it is none.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        description = String(text)
    }
}
