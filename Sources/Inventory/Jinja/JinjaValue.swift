import Diagnostics
import YAML

/// What a Jinja expression stands for, with the types of Python.
indirect enum JinjaValue: Sendable {
    /// A value of an inventory whose parts are not evaluated yet.
    case node(YAMLNode)
    /// What is not there; only `default` and `is defined` take it.
    case undefined(JinjaFault)
    case none
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case list([JinjaValue])
    case map([(key: String, value: JinjaValue)])
    /// A secret, which may be passed on as a whole and not looked into.
    case secret(YAMLNode)
    /// What has elements but is no value itself.
    case space(Space)

    enum Space: Sendable {
        case hostVariables
        case variables(of: String)
        case groups
        case facts
    }
}

extension JinjaValue {
    /// The value with its own type known; those of its elements may still be open.
    var settled: JinjaValue {
        guard case .node(let node) = self else { return self }
        guard node.tag == nil else { return .secret(node) }
        switch node.value {
        case .sequence(let elements): return .list(elements.map(JinjaValue.node))
        case .mapping(let entries): return .map(entries.map { ($0.key.text ?? "", .node($0.value)) })
        case .scalar(let text, plain: false): return .string(text)
        case .scalar(let text, plain: true):
            if node.isNull { return .none }
            if let truth = node.truth { return .bool(truth) }
            if let int = try? Int(yaml: node) { return .int(int) }
            if let double = try? Double(yaml: node) { return .double(double) }
            return .string(text)
        }
    }

    /// As a value of an inventory.
    func node(at location: SourceLocation) throws(JinjaFault) -> YAMLNode {
        func scalar(_ text: String, plain: Bool) -> YAMLNode { YAMLNode(.scalar(text, plain: plain), at: location) }
        switch self {
        case .node(let node), .secret(let node): return node
        case .undefined(let fault): throw fault
        case .none: return scalar("null", plain: true)
        case .bool(let truth): return scalar(truth ? "true" : "false", plain: true)
        case .int(let number): return scalar("\(number)", plain: true)
        case .double(let number): return scalar(JinjaValue.text(of: number), plain: true)
        case .string(let text): return scalar(text, plain: false)
        case .list(let elements):
            var nodes: [YAMLNode] = []
            for element in elements { nodes.append(try element.node(at: location)) }
            return YAMLNode(.sequence(nodes), at: location)
        case .map(let entries):
            var nodes: [(key: YAMLNode, value: YAMLNode)] = []
            for entry in entries {
                nodes.append((scalar(entry.key, plain: false), try entry.value.node(at: location)))
            }
            return YAMLNode(.mapping(nodes), at: location)
        case .space:
            throw JinjaFault("is no value", remedy: "name the variable: hostvars['host']['name']")
        }
    }

    /// As Python's `repr` has it: with a point or an exponent.
    static func text(of number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e16 { return "\(Int(number)).0" }
        return "\(number)"
    }

    /// What it is called in a message.
    var kind: String {
        switch settled {
        case .node, .undefined: "nothing"
        case .none: "nothing"
        case .bool: "true or false"
        case .int, .double: "a number"
        case .string: "a text"
        case .list: "a list"
        case .map: "a mapping"
        case .secret: "a secret"
        case .space: "no value"
        }
    }

    /// Whether Python takes it for true.
    func truth() throws(JinjaFault) -> Bool {
        switch settled {
        case .undefined(let fault): throw fault
        case .node, .none: return false
        case .bool(let truth): return truth
        case .int(let number): return number != 0
        case .double(let number): return number != 0
        case .string(let text): return !text.isEmpty
        case .list(let elements): return !elements.isEmpty
        case .map(let entries): return !entries.isEmpty
        case .secret, .space: return true
        }
    }

    /// As Python's `str` has it.
    func text() throws(JinjaFault) -> String {
        switch settled {
        case .undefined(let fault): throw fault
        case .string(let text): return text
        case .node, .none: return "None"
        case .bool(let truth): return truth ? "True" : "False"
        case .int(let number): return "\(number)"
        case .double(let number): return JinjaValue.text(of: number)
        case .list(let elements):
            var parts: [String] = []
            for element in elements { parts.append(try element.quoted()) }
            return "[" + parts.joined(separator: ", ") + "]"
        case .map(let entries):
            var parts: [String] = []
            for entry in entries { parts.append("'\(entry.key)': " + (try entry.value.quoted())) }
            return "{" + parts.joined(separator: ", ") + "}"
        case .secret:
            throw JinjaFault("a secret cannot stand within a text", remedy: "let the reference stand alone")
        case .space: throw JinjaFault("is no value")
        }
    }

    private func quoted() throws(JinjaFault) -> String {
        guard case .string(let text) = settled else { return try self.text() }
        let quote = text.contains("'") && !text.contains("\"") ? "\"" : "'"
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quote + (quote == "'" ? escaped.replacing("'", with: "\\'") : escaped) + quote
    }

    /// The number, also of a Bool, which Python counts with.
    var number: Double? {
        switch settled {
        case .int(let number): Double(number)
        case .double(let number): number
        case .bool(let truth): truth ? 1 : 0
        default: nil
        }
    }

    /// The whole number, also of a Bool.
    var int: Int? {
        switch settled {
        case .int(let number): number
        case .bool(let truth): truth ? 1 : 0
        default: nil
        }
    }

    /// The elements of what can be gone through: of a text its characters, of a mapping its keys.
    func elements() throws(JinjaFault) -> [JinjaValue] {
        switch settled {
        case .list(let elements): return elements
        case .map(let entries): return entries.map { .string($0.key) }
        case .string(let text): return text.unicodeScalars.map { .string(String($0)) }
        case .undefined(let fault): throw fault
        default: throw JinjaFault("\(kind) has no elements")
        }
    }

    /// An element by its key or number; nil when there is none.
    func element(_ key: JinjaValue) -> JinjaValue? {
        switch (settled, key.settled) {
        case (.map(let entries), .string(let name)): return entries.first { $0.key == name }?.value
        case (.map(let entries), .int(let number)): return entries.first { $0.key == "\(number)" }?.value
        case (.list(let elements), let index):
            var number = index.int
            if case .string(let text) = index { number = Int(text) }
            guard let number else { return nil }
            let position = number < 0 ? elements.count + number : number
            return elements.indices.contains(position) ? elements[position] : nil
        case (.string(let text), .int(let number)):
            let scalars = Array(text.unicodeScalars)
            let position = number < 0 ? scalars.count + number : number
            return scalars.indices.contains(position) ? .string(String(scalars[position])) : nil
        default: return nil
        }
    }
}

extension JinjaValue: Equatable {
    /// As Python compares: numbers of all types with each other, everything else only with its own.
    static func == (left: JinjaValue, right: JinjaValue) -> Bool {
        if let one = left.number, let other = right.number { return one == other }
        switch (left.settled, right.settled) {
        case (.none, .none): return true
        case (.string(let one), .string(let other)): return one == other
        case (.list(let one), .list(let other)): return one == other
        case (.map(let one), .map(let other)):
            return one.count == other.count
                && one.allSatisfy { entry in other.contains { $0.key == entry.key && $0.value == entry.value } }
        default: return false
        }
    }

    /// - Throws: `JinjaFault` for what has no order.
    func isLess(than other: JinjaValue) throws(JinjaFault) -> Bool {
        if let one = number, let two = other.number { return one < two }
        switch (settled, other.settled) {
        case (.undefined(let fault), _), (_, .undefined(let fault)): throw fault
        case (.string(let one), .string(let two)):
            return one.unicodeScalars.lexicographicallyPrecedes(two.unicodeScalars)
        case (.list(let one), .list(let two)):
            for (first, second) in zip(one, two) where first != second { return try first.isLess(than: second) }
            return one.count < two.count
        default: throw JinjaFault("\(kind) and \(other.kind) cannot be compared")
        }
    }
}
