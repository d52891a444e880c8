/// A word that nothing on a host can guess, which marks the borders in what a script prints.
enum Nonce {
    /// 32 hexadecimal digits from the system's random number generator.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
