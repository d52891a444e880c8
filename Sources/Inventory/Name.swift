/// Which names can be given.
enum Name {
    private static func consists(_ name: String, of marks: String) -> Bool {
        name.utf8.allSatisfy { byte in
            // The letters of both cases differ in one bit.
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || marks.utf8.contains(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return !isDigit(first) && consists(name, of: "_")
    }

    static func isGroup(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && consists(name, of: "_-.")
    }

    /// A name or an address that `ssh` could not take for an option. An IPv6 address has at least two colons.
    static func isHost(_ name: String) -> Bool {
        let colons = name.utf8.count { $0 == UInt8(ascii: ":") }
        return !name.isEmpty && name.utf8.count <= 253 && !name.hasPrefix("-") && colons != 1
            && (colons > 1 ? consists(name, of: ".-:%") : consists(name, of: "_-."))
    }
}
