/// The permission bits of a file, written as everybody writes them: `0o640`.
public struct FileMode: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let bits: UInt16

    public init(integerLiteral value: UInt16) {
        bits = value
    }

    /// Reads `640`, as `stat -c %a` prints it.
    init?(octal text: some StringProtocol) {
        guard let bits = UInt16(text, radix: 8) else { return nil }
        self.bits = bits
    }

    /// Whether everybody on the host may read the file.
    var isPublic: Bool { bits & 0o004 != 0 }

    /// Four octal digits: `0640`.
    public var description: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// What `chmod` is told: by fewer than five digits it leaves a directory's set-group-ID bit as it is.
    var command: String { "0\(description)" }
}
