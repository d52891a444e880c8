/// Which names can be given.
enum Name {
    private static func consists(_ name: String, of marks: String) -> Bool {
        name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || isDigit($0)) || marks.contains(Character($0))
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isVariable(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        return !isDigit(first) && consists(name, of: "_")
    }

    static func isGroup(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && consists(name, of: "_-.")
    }

    /// A name or an address that `ssh` could not take for an option. An IPv6 address has at least two colons.
    static func isHost(_ name: String) -> Bool {
        let colons = name.count { $0 == ":" }
        return !name.isEmpty && name.count <= 253 && !name.hasPrefix("-") && colons != 1
            && consists(name, of: colons > 1 ? ".-:%" : "_-.")
    }
}
