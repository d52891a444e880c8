/// The names that the pattern of an inventory's host stands for: `db[01:10]`, `db1:2222`, `[fe80::1]:22`.
///
/// Source: ansible-core 2.19, `parse_address` in parsing/utils/addresses.py.
struct HostNames {
    let names: [String]
    /// The digits after the last colon, which are the port of all of them.
    let port: String?

    init(_ pattern: String) throws(HostRange.Fault) {
        let (base, port) = HostNames.split(pattern)
        names = HostNames.isBare(base) ? [base] : try HostRange.expand(base)
        self.port = port
        if let name = names.first(where: { !Name.isHost($0) }) {
            throw HostRange.Fault(
                message: "'\(name)' is no name of a host",
                remedy: name.contains(":") && !name.contains("[")
                    ? "write NAME:PORT, or an IPv6 address with a port as [ADDRESS]:PORT"
                    : "use letters, digits, '-' and '.'")
        }
    }

    private static func isBare(_ base: String) -> Bool { !base.utf8.contains { $0 == 91 || $0 == 93 } }

    private static func split(_ pattern: String) -> (base: String, port: String?) {
        guard let colon = pattern.lastIndex(of: ":") else { return (pattern, nil) }
        let digits = pattern[pattern.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return (pattern, nil) }
        let base = pattern[..<colon]
        if base.hasPrefix("["), base.hasSuffix("]"), Name.isHost(String(base.dropFirst().dropLast())) {
            return (String(base.dropFirst().dropLast()), String(digits))
        }
        var isInBrackets = false
        for character in base {
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            // An IPv6 address has colons of its own.
            if character == ":" && !isInBrackets { return (pattern, nil) }
        }
        return isInBrackets ? (pattern, nil) : (String(base), String(digits))
    }
}
