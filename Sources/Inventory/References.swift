import Diagnostics
import YAML

/// Replaces references to other variables by what these stand for.
struct References {
    /// What a reference may stand for on the way to a value.
    private enum Thing {
        case node(YAMLNode)
        case hostVariables
        case variables(of: String)
        case groups
    }

    private struct Key: Hashable {
        var host: String
        var name: String
    }

    /// What is counted of a value while its references are followed.
    private struct Tally {
        /// How many values it consists of.
        var size = 0
        /// Whether any variable that it takes is set on the command line.
        var takesFromCommandLine = false

        mutating func add(_ other: Tally) {
            size += other.size
            takesFromCommandLine = takesFromCommandLine || other.takesFromCommandLine
        }
    }

    /// More than anybody means to write: references may double a value again and again.
    private static let greatestSize = 1_000_000
    /// Bounds the recursion from reference to reference.
    private static let greatestDepth = 50

    private let hosts: [String: Host]
    private let groups: GroupMembers
    /// The lists of their hosts: making one anew for each host would be slow.
    private var members: [String: [YAMLNode]] = [:]
    private var known: [Key: (node: YAMLNode, tally: Tally)] = [:]
    /// The variables that are being resolved, each because of the one before.
    private var path: [Key] = []
    private var faulty: Set<SourceLocation> = []
    private(set) var diagnostics = Diagnostics()
    /// By the name of a variable, those to which its value refers.
    private(set) var names: [String: Set<String>] = [:]

    init(_ hosts: [Host], groups: [Group]) {
        self.hosts = Dictionary(hosts.map { ($0.name, $0) }) { first, _ in first }
        self.groups = GroupMembers(groups)
    }

    /// The value of a variable of a host; itself, with what is wrong, when it has none.
    mutating func resolve(_ variable: Variable, of host: Host) -> Variable {
        guard variable.hasReferences else { return variable }
        do {
            var result = variable
            result.written = variable.node
            let (node, tally) = try value(of: variable, Key(host: host.name, name: variable.name))
            result.node = node
            result.takesFromCommandLine = tally.takesFromCommandLine
            return result
        } catch {
            guard variable.isForConnection else {
                var result = variable
                result.faults = [error]
                return result
            }
            // Many hosts may share the variable.
            if let place = error.location, faulty.insert(place).inserted { diagnostics.report(error) }
            return variable
        }
    }

    private mutating func value(of variable: Variable, _ key: Key) throws(Diagnostic) -> (node: YAMLNode, tally: Tally)
    {
        if let known = known[key] { return known }
        if let fault = variable.faults.first { throw fault }
        guard variable.hasReferences else {
            let value = (
                node: variable.node,
                tally: Tally(size: variable.node.size, takesFromCommandLine: variable.origin == .commandLine)
            )
            known[key] = value
            return value
        }
        if let start = path.firstIndex(of: key) {
            let way = (path[start...] + [key]).map { $0.host == key.host ? $0.name : "\($0.name) of \($0.host)" }
            throw Diagnostic(
                "'\(key.name)' refers to itself: \(way.joined(separator: " → "))", at: variable.node.location)
        }
        guard path.count < Self.greatestDepth else {
            throw Diagnostic("more than \(Self.greatestDepth) references follow each other", at: variable.node.location)
        }
        path.append(key)
        defer { path.removeLast() }
        var tally = Tally(takesFromCommandLine: variable.origin == .commandLine)
        let node = try node(variable.node, host: key.host, &tally)
        known[key] = (node, tally)
        return (node, tally)
    }

    private mutating func node(_ node: YAMLNode, host: String, _ tally: inout Tally) throws(Diagnostic) -> YAMLNode {
        tally.size += 1
        var result = node
        switch node.value {
        case _ where node.tag != nil: break
        case .sequence(let elements):
            var resolved: [YAMLNode] = []
            for element in elements { resolved.append(try self.node(element, host: host, &tally)) }
            result.value = .sequence(resolved)
        case .mapping(let entries):
            var resolved: [(key: YAMLNode, value: YAMLNode)] = []
            for entry in entries { resolved.append((entry.key, try self.node(entry.value, host: host, &tally))) }
            result.value = .mapping(resolved)
        case .scalar(let text, _):
            if ReferenceText.isIn(text) { result = try scalar(text, at: node.location, host: host, &tally) }
        }
        guard tally.size < Self.greatestSize else {
            throw Diagnostic("its references make it larger than \(Self.greatestSize) values", at: node.location)
        }
        return result
    }

    /// A reference alone has the type of what it stands for; with anything beside it, it is a text.
    private mutating func scalar(
        _ text: String, at location: SourceLocation, host: String, _ tally: inout Tally
    ) throws(Diagnostic) -> YAMLNode {
        let pieces = try ReferenceText(text, at: location).pieces
        if pieces.count == 1, case .reference(let reference, let words) = pieces[0] {
            var node = try self.node(reference, words, at: location, host: host, &tally)
            // A secret is known by the place where it comes from.
            if node.tag == nil { node.location = location }
            return node
        }
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text): result += text
            case .reference(let reference, let words):
                let node = try self.node(reference, words, at: location, host: host, &tally)
                guard node.tag == nil, let text = node.text, !node.isNull else {
                    throw Diagnostic(
                        "'{{ \(words) }}' is \(node), which cannot stand within a text", at: location,
                        remedy: "let the reference stand alone")
                }
                result += text
            }
            tally.size += result.utf8.count / 100
        }
        guard result.utf8.count <= Self.greatestSize else {
            throw Diagnostic("its references make it longer than \(Self.greatestSize) bytes", at: location)
        }
        return YAMLNode(.scalar(result, plain: false), at: location)
    }

    private mutating func node(
        _ reference: Reference, _ words: String, at location: SourceLocation, host: String, _ tally: inout Tally
    ) throws(Diagnostic) -> YAMLNode {
        guard case .node(let node) = try thing(reference, words, at: location, host: host, &tally) else {
            throw Diagnostic(
                "'{{ \(words) }}' is no value", at: location, remedy: "name the variable: hostvars['host']['name']")
        }
        return node
    }

    private mutating func thing(
        _ reference: Reference, _ words: String, at location: SourceLocation, host: String, _ tally: inout Tally
    ) throws(Diagnostic) -> Thing {
        switch reference {
        case .text(let text): return .node(YAMLNode(.scalar(text, plain: false), at: location))
        case .number(let number): return .node(YAMLNode(.scalar("\(number)", plain: true), at: location))
        case .name("hostvars"): return .hostVariables
        case .name("groups"): return .groups
        case .name(let name): return .node(try variable(name, of: host, words, at: location, &tally))
        case .element(let selector, let base):
            let whole = try thing(base, words, at: location, host: host, &tally)
            guard case .node(let node) = try thing(selector, words, at: location, host: host, &tally),
                let key = node.text
            else { throw nothing(words, location) }
            switch whole {
            case .hostVariables:
                guard hosts[key] != nil else {
                    throw Diagnostic(
                        "'{{ \(words) }}': no host is named '\(key)'", at: location,
                        remedy: Suggestion.remedy(for: key, among: hosts.keys))
                }
                return .variables(of: key)
            case .variables(let host): return .node(try variable(key, of: host, words, at: location, &tally))
            case .groups:
                if let known = members[key] { return .node(YAMLNode(.sequence(known), at: location)) }
                guard let names = groups.hosts(of: key) else {
                    throw Diagnostic(
                        "'{{ \(words) }}': no group is named '\(key)'", at: location,
                        remedy: Suggestion.remedy(for: key, among: groups.names))
                }
                let list = list(names, at: location)
                if case .sequence(let elements) = list.value { members[key] = elements }
                return .node(list)
            case .node(let node):
                guard let element = element(key, of: node) else { throw nothing(words, location) }
                return .node(element)
            }
        }
    }

    private func list(_ names: [String], at location: SourceLocation) -> YAMLNode {
        YAMLNode(.sequence(names.map { YAMLNode(.scalar($0, plain: false), at: location) }), at: location)
    }

    private func element(_ key: String, of node: YAMLNode) -> YAMLNode? {
        guard node.tag == nil else { return nil }
        if case .sequence(let elements) = node.value, let number = Int(key) {
            let index = number < 0 ? elements.count + number : number
            return elements.indices.contains(index) ? elements[index] : nil
        }
        return node[key]
    }

    private func nothing(_ words: String, _ location: SourceLocation) -> Diagnostic {
        Diagnostic("'{{ \(words) }}' stands for nothing", at: location, remedy: "there is no such element")
    }

    private mutating func variable(
        _ name: String, of host: String, _ words: String, at location: SourceLocation, _ tally: inout Tally
    ) throws(Diagnostic) -> YAMLNode {
        guard let entry = hosts[host] else { throw nothing(words, location) }
        if let referring = path.last { names[referring.name, default: []].insert(name) }
        if let variable = entry.variables[name] ?? entry.connectionVariables[name] {
            let value = try value(of: variable, Key(host: host, name: name))
            tally.add(value.tally)
            return value.node
        }
        switch name {
        case "inventory_hostname": return YAMLNode(.scalar(host, plain: false), at: location)
        case "inventory_hostname_short":
            return YAMLNode(.scalar(String(host.prefix { $0 != "." }), plain: false), at: location)
        case "group_names": return list(entry.groups.sorted(), at: location)
        default:
            let isFact = name.hasPrefix("ansible_")
            throw Diagnostic(
                "'{{ \(words) }}': the variable '\(name)' is not set for '\(host)'", at: location,
                remedy: isFact
                    ? "facts are not known to an inventory: write the value itself"
                    : Suggestion.remedy(for: name, among: entry.variables.keys) ?? "set it under the vars of 'all'")
        }
    }
}

extension YAMLNode {
    /// How many values it consists of.
    fileprivate var size: Int {
        switch value {
        case .scalar: 1
        case .sequence(let elements): elements.reduce(1) { $0 + $1.size }
        case .mapping(let entries): entries.reduce(1) { $0 + $1.value.size }
        }
    }
}
