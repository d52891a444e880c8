public import Diagnostics
import YAML

/// Some hosts of an inventory, in the words of Ansible's `--limit`: `web,&east,!web3`.
///
/// | pattern | hosts |
/// |---|---|
/// | `all`, `*` | every host |
/// | `NAME` | the host of that name, or the hosts of that group and of the groups below it |
/// | `db*`, `web?`, `db[13].example.com` | those of all hosts and groups whose names match the wildcards |
/// | `~db\d+` | those of all hosts and groups whose names begin as the regular expression says |
/// | `A,B` or `A:B` | those of A and those of B |
/// | `&A`, `!A` | wherever they stand: after all unions only those also in A, and after that those not in A |
/// | `A[0]`, `A[-1]`, `A[0:2]`, `A[1:]` | of those of A the first, the last, the first three, all but the first |
/// | `@FILE` | what the lines of the file say |
///
/// Source: ansible-core 2.19, inventory/manager.py. What names nothing is refused, where Ansible warns, and so is an
/// empty pattern, where Ansible takes all hosts; wildcards do not match the group `all`, which its own comments promise.
public struct HostPattern: Sendable {
    private let text: String
    private let terms: [HostPatternTerm]

    /// Reads a pattern, and the files that it names.
    ///
    /// - Throws: a `Diagnostic` when it is no pattern, or a file cannot be read.
    public init(_ text: String) throws(Diagnostic) {
        self.text = text
        var terms: [HostPatternTerm] = []
        for part in HostPattern.parts(of: text) {
            if part.hasPrefix("@") {
                terms += try HostPattern.terms(inFile: String(part.dropFirst()))
            } else {
                terms.append(try HostPatternTerm(part))
            }
        }
        guard !terms.isEmpty else {
            throw Diagnostic("the pattern '\(text)' names no host", remedy: "write 'all' for every host")
        }
        self.terms = terms
    }

    /// The hosts that the pattern stands for, at least one, in the order of the inventory.
    ///
    /// - Throws: `Diagnostics` with every name that is not in the inventory, or when no host is left.
    public func hosts(in inventory: Inventory) throws(Diagnostics) -> [Host] {
        var diagnostics = Diagnostics()
        var found: [HostPatternTerm.Role: [Set<String>]] = [:]
        for term in terms {
            do {
                found[term.role, default: []].append(Set(try term.names(in: inventory)))
            } catch {
                diagnostics.report(error)
            }
        }
        try diagnostics.throwIfAny()
        let united = found[.union] ?? [Set(inventory.hosts.map(\.name))]
        var names = united.reduce(into: Set<String>()) { $0.formUnion($1) }
        for others in found[.intersection] ?? [] { names.formIntersection(others) }
        for others in found[.exclusion] ?? [] { names.subtract(others) }
        guard !names.isEmpty else {
            throw Diagnostics([Diagnostic("the pattern '\(text)' leaves no host of '\(inventory.file)'")])
        }
        return inventory.hosts.filter { names.contains($0.name) }
    }

    /// Each line is a pattern, or a list of them.
    private static func terms(inFile path: String) throws(Diagnostic) -> [HostPatternTerm] {
        let lines = try TextFile.read(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var terms: [HostPatternTerm] = []
        for (index, line) in lines.enumerated() {
            let location = SourceLocation(file: path, line: index + 1, column: 1)
            for part in parts(of: String(line)) { terms.append(try HostPatternTerm(part, at: location)) }
        }
        guard !terms.isEmpty else { throw Diagnostic("the file '\(path)' names no host") }
        return terms
    }

    /// What stands between the separators. These are commas, or, where there are none, colons and blanks outside brackets,
    /// except in an IPv6 address.
    private static func parts(of text: String) -> [String] {
        let isList = text.contains(",")
        if !isList && isIPv6(text) { return [text] }
        var isInBrackets = false
        let parts = text.split { character in
            if isList { return character == "," }
            if character == "[" || character == "]" { isInBrackets = character == "[" }
            return !isInBrackets && (character == ":" || character.isWhitespace)
        }
        return parts.map(trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// `a:b:c` is a list of three names.
    private static func isIPv6(_ text: String) -> Bool {
        let address = text.drop { $0 == "!" || $0 == "&" }
        return address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            && (address.contains("::") || address.count { $0 == ":" } == 7)
    }
}
