public import Diagnostics
public import YAML

/// Reads the variables of an inventory's hosts one by one and finds everything that is wrong with them: values that are
/// missing, of a wrong type, or not the same on all hosts, and variables that nobody asked for.
public struct Variables {
    /// What was found wrong so far; a caller may add what it finds itself.
    public var diagnostics = Diagnostics()
    /// What is not done as it is written, although that does no harm; a caller may add what it finds.
    public var notes: [Diagnostic] = []
    /// The other playbooks of the same program: a variable that one of them reads is no stranger.
    @TaskLocal public static var otherReaders = VariableReaders { _ in false }
    private let hosts: [Host]
    private let declared: [Variable]
    /// The names to which the value of any variable refers.
    private let referred: Set<String>
    private var asked: Set<String> = []
    /// Where it was told already that a value cannot be known.
    private var faulty: Set<SourceLocation> = []

    public init(of inventory: Inventory) {
        hosts = inventory.hosts
        declared = inventory.declaredVariables
        referred = inventory.references.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The value of a variable of all hosts together, or nil when no host has it or a fault was reported.
    public mutating func optional<Value: YAMLDecodable & Equatable>(_ name: String, as: Value.Type = Value.self)
        -> Value?
    {
        asked.insert(name)
        var found: (value: Value, variable: Variable)?
        for host in hosts {
            guard let variable = host.variables[name], let value: Value = decode(variable) else { continue }
            // Hosts are not alike: what depends on their own facts is taken from the first one.
            if let found, found.value != value, !(variable.takesFacts && found.variable.takesFacts) {
                diagnostics.report(
                    "'\(name)' is another here than at \(found.variable.node.location)", at: variable.node.location,
                    remedy: "set it once, under the vars of 'all'")
                return nil
            }
            found = found ?? (value, variable)
        }
        return found?.value
    }

    /// The text of a variable of all hosts together. An empty one says that there is none: inventories of other tools have
    /// such where nothing was chosen.
    public mutating func text(_ name: String) -> String? {
        optional(name, as: String.self).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a variable that all hosts together must have.
    ///
    /// - Parameter remedy: what to do when none has it.
    public mutating func required<Value: YAMLDecodable & Equatable>(
        _ name: String, as: Value.Type = Value.self, remedy: String = "set it under the vars of 'all'"
    ) -> Value? {
        let value = optional(name, as: Value.self)
        if value == nil, !hosts.contains(where: { $0.variables[name] != nil }) {
            diagnostics.report("the variable '\(name)' is missing", remedy: remedy)
        }
        return value
    }

    /// The value of a variable that each host may have for itself.
    public mutating func optional<Value: YAMLDecodable>(_ name: String, of host: Host) -> Value? {
        asked.insert(name)
        return host.variables[name].flatMap { decode($0) }
    }

    /// Where a variable has its value, for a diagnostic about it.
    public func location(of name: String) -> SourceLocation? {
        hosts.lazy.compactMap { $0.variables[name]?.node.location }.first
    }

    /// Where a variable gets its value from the command line on any host, or nil when the inventory alone sets it.
    public func locationFromCommandLine(of name: String) -> SourceLocation? {
        hosts.lazy.compactMap { $0.variables[name] }.first(where: \.isFromCommandLine)?.node.location
    }

    /// Whether anybody has asked for a variable of this name.
    public func isAsked(_ name: String) -> Bool { asked.contains(name) }

    /// The names that were asked for.
    public var askedNames: Set<String> { asked }

    /// Counts a variable as asked for whose value means nothing, because what it belongs to is off.
    public mutating func ignore(_ names: String...) { asked.formUnion(names) }

    /// Whether the value of another variable refers to it, or another playbook reads it.
    public func isReferred(_ name: String) -> Bool { referred.contains(name) || Self.otherReaders.read(name) }

    /// The declared variables that the configuration has not read.
    public var unasked: [Variable] { declared.filter { !asked.contains($0.name) } }

    /// What holds of a variable for the hosts, of each value one; none when others win everywhere.
    public func effectiveValues(of variable: Variable) -> [Variable] {
        let values = hosts.lazy.compactMap { $0.variables[variable.name] }.filter { $0.location == variable.location }
        // Only what refers to others differs from host to host.
        return variable.hasReferences ? Array(values) : Array(values.prefix(1))
    }

    /// The values of a variable that hosts have.
    public func values(of name: String) -> [Variable] { hosts.compactMap { $0.variables[name] } }

    /// Whether a variable has no value for some host, because its expression has none.
    public func hasFaults(_ name: String) -> Bool { values(of: name).contains { !$0.faults.isEmpty } }

    /// The known name nearest to an unknown one, as a remedy.
    public func suggestion(for name: String) -> String? { Suggestion.remedy(for: name, among: asked) }

    /// Reports every variable that no playbook reads and to which no other variable refers.
    public mutating func reportUnknown() {
        for variable in unasked where !isReferred(variable.name) {
            diagnostics.report(
                "unknown variable '\(variable.name)'", at: variable.location, remedy: suggestion(for: variable.name))
        }
    }

    /// Reports line breaks and other control characters in the values of what was asked for: they end a line of a
    /// configuration file, a here-document or a record of a fact.
    ///
    /// - Parameter exceptions: the variables whose values may have several lines.
    public mutating func reportControlCharacters(except exceptions: Set<String>) {
        for host in hosts {
            for (name, variable) in host.variables.sorted(by: { $0.key < $1.key })
            where asked.contains(name) && !exceptions.contains(name) && variable.faults.isEmpty {
                variable.node.forEachText { text, location in
                    guard let scalar = text.controlCharacter else { return }
                    let what = scalar == "\n" || scalar == "\r" ? "a line break" : "a control character"
                    diagnostics.report(
                        "a value of '\(name)' has \(what) in it", at: location,
                        remedy: "take it out; a text of several lines of the inventory is joined by '>-'")
                }
            }
        }
    }

    private mutating func decode<Value: YAMLDecodable>(_ variable: Variable) -> Value? {
        guard variable.faults.isEmpty else {
            // Many hosts may share it.
            for fault in variable.faults where fault.location.map({ faulty.insert($0).inserted }) ?? true {
                diagnostics.report(fault)
            }
            return nil
        }
        do {
            return try diagnostics.collect { try Value(yaml: variable.node) }
        } catch {
            diagnostics.report("\(error)", at: variable.node.location)
            return nil
        }
    }
}
