extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte, as `sha256sum` prints a digest.
    public var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
