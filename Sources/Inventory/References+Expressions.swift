import Diagnostics
import FoundationEssentials
import YAML

/// What expressions may take from beyond the inventory.
struct Surroundings: Sendable {
    /// Where relative paths begin, empty or with its `/` at the end.
    var directory = ""
    /// What a variable has that the inventory does not set, in the form of an inventory.
    var defaults: [String: Variable] = [:]
    /// The facts of the hosts; nil before the first contact.
    var facts: [String: HostFacts]?
}

extension References {
    /// Where an expression is evaluated.
    struct Scope {
        let host: String
        let location: SourceLocation
        var tally: Tally
    }

    mutating func value(of expression: JinjaExpression, _ scope: inout Scope) throws(JinjaFault) -> JinjaValue {
        switch expression {
        case .literal(let value): return value
        case .list(let elements): return .list(try values(of: elements, &scope))
        case .map(let entries):
            var result: [(key: String, value: JinjaValue)] = []
            for entry in entries {
                result.append((try value(of: entry.key, &scope).text(), try value(of: entry.value, &scope)))
            }
            return .map(result)
        case .name(let name): return try value(named: name, &scope)
        case .element(let selector, let base):
            return try element(try value(of: selector, &scope), of: try value(of: base, &scope), &scope)
        case .slice(let from, let to, let base): return try slice(from, to, of: base, &scope)
        case .method(let name, let base, let arguments):
            return try JinjaMethods.call(
                name, of: try value(of: base, &scope), try call(arguments, &scope))
        case .call(let name, let arguments): return try function(name, try call(arguments, &scope), &scope)
        case .filter(let name, let base, let arguments):
            return try JinjaFilters.apply(name, to: try value(of: base, &scope), try call(arguments, &scope))
        case .test(let name, let base, let arguments):
            return .bool(
                try JinjaTests.holds(name, of: try value(of: base, &scope), try call(arguments, &scope)))
        case .not(let negated): return .bool(!(try value(of: negated, &scope).truth()))
        case .negative(let negated):
            return try JinjaOperator.minus.apply(.int(0), try value(of: negated, &scope))
        case .binary(.and, let left, let right):
            let first = try value(of: left, &scope)
            return try first.truth() ? try value(of: right, &scope) : first
        case .binary(.or, let left, let right):
            let first = try value(of: left, &scope)
            return try first.truth() ? first : try value(of: right, &scope)
        case .binary(let sign, let left, let right):
            return try sign.apply(try value(of: left, &scope), try value(of: right, &scope))
        case .choice(let condition, let then, let otherwise):
            if try value(of: condition, &scope).truth() { return try value(of: then, &scope) }
            guard let otherwise else {
                return .undefined(JinjaFault("the condition does not hold, and there is no 'else'"))
            }
            return try value(of: otherwise, &scope)
        }
    }

    private mutating func values(
        of expressions: [JinjaExpression], _ scope: inout Scope
    ) throws(JinjaFault) -> [JinjaValue] {
        var values: [JinjaValue] = []
        for expression in expressions { values.append(try value(of: expression, &scope)) }
        return values
    }

    private mutating func call(_ arguments: JinjaArguments, _ scope: inout Scope) throws(JinjaFault) -> JinjaCall {
        var call = JinjaCall(positional: try values(of: arguments.positional, &scope))
        for (name, expression) in arguments.named { call.named[name] = try value(of: expression, &scope) }
        return call
    }

    private mutating func slice(
        _ from: JinjaExpression?, _ to: JinjaExpression?, of base: JinjaExpression, _ scope: inout Scope
    ) throws(JinjaFault) -> JinjaValue {
        let whole = try value(of: base, &scope)
        let elements = try whole.elements()
        func bound(_ value: JinjaValue?, otherwise: Int) throws(JinjaFault) -> Int {
            guard let value else { return otherwise }
            guard let number = value.int else { throw JinjaFault("\(value.kind) is no place in a list") }
            return min(max(0, number < 0 ? elements.count + number : number), elements.count)
        }
        let start = try bound(
            try from.map { expression throws(JinjaFault) in try value(of: expression, &scope) }, otherwise: 0)
        let end = try bound(
            try to.map { expression throws(JinjaFault) in try value(of: expression, &scope) }, otherwise: elements.count
        )
        let part = Array(start < end ? elements[start..<end] : [])
        guard case .string = whole.settled else { return .list(part) }
        var text = ""
        for character in part { text += try character.text() }
        return .string(text)
    }

    private mutating func element(
        _ selector: JinjaValue, of whole: JinjaValue, _ scope: inout Scope
    ) throws(JinjaFault) -> JinjaValue {
        switch whole {
        case .undefined: return whole
        case .space(let space):
            let key = try selector.text()
            switch space {
            case .hostVariables:
                guard hosts[key] != nil else {
                    return .undefined(
                        JinjaFault("no host is named '\(key)'", remedy: Suggestion.remedy(for: key, among: hosts.keys)))
                }
                return .space(.variables(of: key))
            case .variables(let host): return try variable(key, of: host, &scope)
            case .facts: return try fact("ansible_" + key, of: scope.host, &scope) ?? .undefined(.nothing)
            case .groups: return group(key, at: scope.location)
            }
        default:
            if case .undefined(let fault) = selector { throw fault }
            return whole.element(selector) ?? .undefined(.nothing)
        }
    }

    private mutating func group(_ name: String, at location: SourceLocation) -> JinjaValue {
        if let known = members[name] { return .node(YAMLNode(.sequence(known), at: location)) }
        guard let names = groups.hosts(of: name) else {
            return .undefined(
                JinjaFault("no group is named '\(name)'", remedy: Suggestion.remedy(for: name, among: groups.names)))
        }
        let nodes = names.map { YAMLNode(.scalar($0, plain: false), at: location) }
        members[name] = nodes
        return .node(YAMLNode(.sequence(nodes), at: location))
    }

    private mutating func value(named name: String, _ scope: inout Scope) throws(JinjaFault) -> JinjaValue {
        switch name {
        case "hostvars": .space(.hostVariables)
        case "groups": .space(.groups)
        case "ansible_facts": .space(.facts)
        default: try variable(name, of: scope.host, &scope)
        }
    }

    private mutating func variable(
        _ name: String, of host: String, _ scope: inout Scope
    ) throws(JinjaFault) -> JinjaValue {
        guard let entry = hosts[host] else { return .undefined(.nothing) }
        if let referring = path.last { names[referring.name, default: []].insert(name) }
        let given = entry.variables[name] ?? entry.connectionVariables[name]
        if let variable = given ?? surroundings.defaults[name] {
            do {
                let value = try value(of: variable, Key(host: host, name: name))
                scope.tally.add(value.tally)
                return .node(value.node)
            } catch {
                throw JinjaFault(origin: error)
            }
        }
        switch name {
        case "inventory_hostname": return .string(host)
        case "inventory_hostname_short": return .string(String(host.prefix { $0 != "." }))
        case "group_names": return .list(entry.groups.sorted().map(JinjaValue.string))
        case "ansible_version":
            return .map([("full", .string("2.19.14")), ("major", .int(2)), ("minor", .int(19)), ("revision", .int(14))])
        case "inventory_dir": return .string(String(surroundings.directory.dropLast()))
        default: break
        }
        if let fact = try fact(name, of: host, &scope) { return fact }
        return .undefined(
            JinjaFault(
                "the variable '\(name)' is not set for '\(host)'",
                remedy: name.hasPrefix("ansible_")
                    ? "Drover does not ask hosts for this fact: write the value itself"
                    : Suggestion.remedy(for: name, among: Array(entry.variables.keys) + surroundings.defaults.keys)
                        ?? "set it under the vars of 'all'"))
    }

    private func fact(_ name: String, of host: String, _ scope: inout Scope) throws(JinjaFault) -> JinjaValue? {
        guard let value = (surroundings.facts?[host] ?? .standIn)[name] else { return nil }
        scope.tally.takesFacts = true
        return value
    }

    private func function(
        _ name: String, _ call: JinjaCall, _ scope: inout Scope
    ) throws(JinjaFault) -> JinjaValue {
        switch name {
        case "range":
            let numbers = call.positional.compactMap(\.int)
            guard (1...2).contains(numbers.count) else { throw JinjaFault("'range' takes one or two numbers") }
            let (start, end) = numbers.count == 1 ? (0, numbers[0]) : (numbers[0], numbers[1])
            guard end - start <= 10_000 else { throw JinjaFault("the range is too long") }
            return .list(start < end ? (start..<end).map(JinjaValue.int) : [])
        case "lookup", "query", "q":
            let kind = try call.required(0).text()
            scope.tally.takesFromOutside = true
            let found = try looked(up: try call.required(1).text(), in: kind, call)
            return name == "lookup" ? found : .list([found])
        default:
            throw JinjaFault("the function '\(name)' is not known here", remedy: "write the value itself")
        }
    }

    private func looked(up name: String, in kind: String, _ call: JinjaCall) throws(JinjaFault) -> JinjaValue {
        switch kind.split(separator: ".").last {
        case "env":
            return ProcessInfo.processInfo.environment[name].map(JinjaValue.string) ?? call.named["default"]
                ?? .string("")
        case "file":
            do {
                let path = name.hasPrefix("/") ? name : surroundings.directory + name
                return .string(try TextFile.read(path).trimmedAtEnd)
            } catch {
                throw JinjaFault(error.message)
            }
        default:
            throw JinjaFault(
                "the lookup '\(kind)' is not known here",
                remedy: "use 'env' or 'file', or take a secret from outside by '!command ARGV'")
        }
    }
}

extension JinjaFault {
    fileprivate static let nothing = JinjaFault("stands for nothing", remedy: "there is no such element")
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var rest = self[...]
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return String(rest)
    }
}
