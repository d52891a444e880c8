/// Reads the data types of RFC 4251, section 5, from keys and from what an agent says.
struct SSHWireReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// The next `byte`, or nil at the end.
    mutating func byte() -> UInt8? { bytes.popFirst() }

    /// The next `uint32`, or nil at the end.
    mutating func number() -> Int? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next `string`: a length and so many bytes; nil when there are fewer.
    mutating func string() -> ArraySlice<UInt8>? {
        guard let count = number(), bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
