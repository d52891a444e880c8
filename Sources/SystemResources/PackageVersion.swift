/// The version of a Debian package, in the order that dpkg gives it (Debian Policy, 5.6.12).
public struct PackageVersion: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private let epoch: Int
    private let upstream: Substring
    private let revision: Substring

    /// - Parameter text: `[EPOCH:]UPSTREAM[-REVISION]`, such as `1:2.2.7-1+b2`.
    public init(_ text: String) {
        description = text
        let colon = text.firstIndex(of: ":")
        epoch = colon.flatMap { Int(text[..<$0]) } ?? 0
        let rest = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let hyphen = rest.lastIndex(of: "-")
        upstream = hyphen.map { rest[..<$0] } ?? rest
        revision = hyphen.map { rest[rest.index(after: $0)...] } ?? ""
    }

    /// Two texts may mean one version: `1.0` and `1.0-0`.
    public static func == (one: PackageVersion, other: PackageVersion) -> Bool { !(one < other) && !(other < one) }

    /// Versions that are equal have one hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(epoch) }
}

extension PackageVersion: Comparable {
    public static func < (one: PackageVersion, other: PackageVersion) -> Bool {
        if one.epoch != other.epoch { return one.epoch < other.epoch }
        let order = order(of: one.upstream, and: other.upstream)
        return (order == 0 ? self.order(of: one.revision, and: other.revision) : order) < 0
    }

    /// Compares stretches without digits and numbers in turn.
    ///
    /// - Returns: less than 0 when the first is the lower one, 0 when they are equal.
    private static func order(of one: Substring, and other: Substring) -> Int {
        var (one, other) = (one.utf8[...], other.utf8[...])
        while !one.isEmpty || !other.isEmpty {
            while isText(one.first) || isText(other.first) {
                let (left, right) = (weight(of: one.first), weight(of: other.first))
                if left != right { return left - right }
                one = one.dropFirst()
                other = other.dropFirst()
            }
            let (left, right) = (number(from: &one), number(from: &other))
            if left.count != right.count { return left.count - right.count }
            if !left.elementsEqual(right) { return left.lexicographicallyPrecedes(right) ? -1 : 1 }
        }
        return 0
    }

    private static func isText(_ byte: UInt8?) -> Bool { byte.map { !isDigit($0) } ?? false }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// A tilde comes before the end, the end before letters, and letters before everything else.
    private static func weight(of byte: UInt8?) -> Int {
        guard let byte, !isDigit(byte) else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        return isLetter ? Int(byte) : Int(byte) + 256
    }

    /// Removes the digits at the beginning.
    ///
    /// - Returns: them without leading zeros.
    private static func number(from text: inout Substring.UTF8View.SubSequence) -> Substring.UTF8View.SubSequence {
        let digits = text.prefix(while: isDigit)
        text = text[digits.endIndex...]
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
