/// Numbers in base 16.
enum Hexadecimal {
    /// The two digits of a byte.
    static func digits(_ byte: UInt8) -> String { String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
}
