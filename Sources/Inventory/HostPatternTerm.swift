import Diagnostics

/// One part of a pattern for hosts: a sign, names, and a subscript.
struct HostPatternTerm: Sendable {
    /// What becomes of its hosts, in the order in which it is done.
    enum Role {
        case union, intersection, exclusion
    }

    private enum Names {
        case exactly(String)
        case matching(Wildcards)
        /// The text of a regular expression: a compiled one is not `Sendable`.
        case beginning(String)
    }

    let role: Role
    private let text: String
    private let location: SourceLocation?
    private let names: Names
    private let numbers: HostSubscript?

    /// - Parameter location: its line, when it stands in a file.
    /// - Throws: a `Diagnostic` when it is no pattern.
    init(_ text: String, at location: SourceLocation? = nil) throws(Diagnostic) {
        role = text.hasPrefix("&") ? .intersection : text.hasPrefix("!") ? .exclusion : .union
        self.text = text
        self.location = location
        let unsigned = role == .union ? text : String(text.dropFirst())
        do {
            // The brackets of a regular expression are its own.
            let (base, numbers) = unsigned.hasPrefix("~") ? (unsigned, nil) : try HostSubscript.split(unsigned)
            self.numbers = numbers
            names = try HostPatternTerm.names(base)
        } catch {
            throw Diagnostic("the pattern '\(text)' \(error.message)", at: location, remedy: error.remedy)
        }
    }

    private static func names(_ base: String) throws(HostRange.Fault) -> Names {
        guard !base.isEmpty, base != "~" else { throw HostRange.Fault(message: "names no host") }
        if base.hasPrefix("~") {
            let expression = String(base.dropFirst())
            do {
                _ = try Regex(expression)
            } catch {
                throw HostRange.Fault(
                    message: "is no regular expression", remedy: "mind that ',' and ':' separate patterns")
            }
            return .beginning(expression)
        }
        if base == "*" { return .exactly("all") }
        return base.contains(where: "*?[".contains) ? .matching(try Wildcards(base)) : .exactly(base)
    }

    /// The names of its hosts, each once: those of groups first, in the order in which Ansible counts them.
    ///
    /// - Throws: a `Diagnostic` when the inventory has no such name, or not so many hosts.
    func names(in inventory: Inventory) throws(Diagnostic) -> [String] {
        let groups = inventory.groups.filter { matches($0.name, isAll: $0.name == "all") }
        let hosts = inventory.hosts.map(\.name).filter { matches($0) }
        let members = GroupMembers(inventory.groups)
        if groups.isEmpty && hosts.isEmpty { throw unknown(in: inventory) }
        var seen: Set<String> = []
        let all = (groups.flatMap { members.hosts(of: $0.name) ?? [] } + hosts).filter { seen.insert($0).inserted }
        guard let numbers else { return all }
        let numbered = numbers.elements(of: all)
        guard !numbered.isEmpty else {
            throw Diagnostic(
                "the pattern '\(text)' counts beyond the \(all.count == 1 ? "one host" : "\(all.count) hosts") there",
                at: location, remedy: "the first has the number 0")
        }
        return numbered
    }

    private func matches(_ name: String, isAll: Bool = false) -> Bool {
        switch names {
        case .exactly(let other): name == other
        case .matching(let wildcards): !isAll && wildcards.match(name)
        case .beginning(let expression):
            !isAll && (try? Regex(expression).prefixMatch(in: name)) ?? nil != nil
        }
    }

    private func unknown(in inventory: Inventory) -> Diagnostic {
        guard case .exactly(let name) = names else {
            return Diagnostic("no name of a host or group matches '\(text)'", at: location)
        }
        return Diagnostic(
            "no host or group is named '\(name)'", at: location,
            remedy: Suggestion.remedy(for: name, among: inventory.groups.map(\.name) + inventory.hosts.map(\.name)))
    }
}
