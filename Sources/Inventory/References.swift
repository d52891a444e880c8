import Diagnostics
import YAML

/// Replaces references to other variables by what these stand for.
struct References {
    struct Key: Hashable {
        var host: String
        var name: String
    }

    /// What is counted of a value while its references are followed.
    struct Tally {
        /// How many values it consists of.
        var size = 0
        /// Whether any variable that it takes is set on the command line.
        var takesFromCommandLine = false
        /// Whether it takes what only the host itself knows.
        var takesFacts = false
        /// Whether it takes what stands in the environment or in a file.
        var takesFromOutside = false

        mutating func add(_ other: Tally) {
            size += other.size
            takesFromCommandLine = takesFromCommandLine || other.takesFromCommandLine
            takesFacts = takesFacts || other.takesFacts
            takesFromOutside = takesFromOutside || other.takesFromOutside
        }
    }

    /// More than anybody means to write: references may double a value again and again.
    private static let greatestSize = 1_000_000
    /// Bounds the recursion from reference to reference.
    private static let greatestDepth = 50

    let hosts: [String: Host]
    let groups: GroupMembers
    let surroundings: Surroundings
    /// The lists of their hosts: making one anew for each host would be slow.
    var members: [String: [YAMLNode]] = [:]
    private var templates: [String: JinjaTemplate] = [:]
    private var known: [Key: (node: YAMLNode, tally: Tally)] = [:]
    /// The variables that are being resolved, each because of the one before.
    private(set) var path: [Key] = []
    private var faulty: Set<SourceLocation> = []
    private(set) var diagnostics = Diagnostics()
    /// By the name of a variable, those to which its value refers.
    var names: [String: Set<String>] = [:]

    init(_ hosts: [Host], groups: [Group], surroundings: Surroundings) {
        self.surroundings = surroundings
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
            result.takesFacts = tally.takesFacts
            result.isFromOutside = tally.takesFromOutside
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

    mutating func value(of variable: Variable, _ key: Key) throws(Diagnostic) -> (node: YAMLNode, tally: Tally) {
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
            if JinjaTemplate.isIn(text) { result = try scalar(text, at: node.location, host: host, &tally) }
        }
        guard tally.size < Self.greatestSize else {
            throw Diagnostic("its references make it larger than \(Self.greatestSize) values", at: node.location)
        }
        return result
    }

    /// An expression alone has the type of what it stands for; with anything beside it, it is a text.
    private mutating func scalar(
        _ text: String, at location: SourceLocation, host: String, _ tally: inout Tally
    ) throws(Diagnostic) -> YAMLNode {
        let template = try template(text, at: location)
        var outputs: [(value: JinjaValue, words: String)] = []
        try evaluate(template.pieces, at: location, host: host, &tally, &outputs)
        if outputs.count == 1, let (value, words) = outputs.first {
            do {
                var node = try value.node(at: location)
                // A secret is known by the place where it comes from.
                if node.tag == nil { node.location = location }
                return node
            } catch {
                throw error.diagnostic(about: words, at: location)
            }
        }
        if outputs.isEmpty { return YAMLNode(.scalar("null", plain: true), at: location) }
        var result = ""
        for (value, words) in outputs {
            switch value.settled {
            case .string(let text): result += text
            case .bool, .int, .double:
                do { result += try value.text() } catch { throw error.diagnostic(about: words, at: location) }
            case .none, .node: break
            case .undefined(let fault): throw fault.diagnostic(about: words, at: location)
            default:
                throw Diagnostic(
                    "'{{ \(words) }}' is \(value.kind), which cannot stand within a text", at: location,
                    remedy: "let the reference stand alone")
            }
            tally.size += result.utf8.count / 100
        }
        guard result.utf8.count <= Self.greatestSize else {
            throw Diagnostic("its references make it longer than \(Self.greatestSize) bytes", at: location)
        }
        return YAMLNode(.scalar(result, plain: false), at: location)
    }

    /// Many hosts share a text.
    private mutating func template(_ text: String, at location: SourceLocation) throws(Diagnostic) -> JinjaTemplate {
        if let known = templates[text] { return known }
        let template = try JinjaTemplate(text, at: location)
        templates[text] = template
        return template
    }

    private mutating func evaluate(
        _ pieces: [JinjaTemplate.Piece], at location: SourceLocation, host: String, _ tally: inout Tally,
        _ outputs: inout [(value: JinjaValue, words: String)]
    ) throws(Diagnostic) {
        for piece in pieces {
            switch piece {
            case .text(let text): outputs.append((.string(text), ""))
            case .output(let quoted):
                outputs.append((try value(of: quoted, at: location, host: host, &tally), quoted.words))
            case .branches(let branches):
                for (condition, body) in branches {
                    if let condition {
                        let value = try value(of: condition, at: location, host: host, &tally)
                        do {
                            guard try value.truth() else { continue }
                        } catch {
                            throw error.diagnostic(about: condition.words, at: location)
                        }
                    }
                    try evaluate(body, at: location, host: host, &tally, &outputs)
                    break
                }
            }
        }
    }

    private mutating func value(
        of quoted: JinjaTemplate.Quoted, at location: SourceLocation, host: String, _ tally: inout Tally
    ) throws(Diagnostic) -> JinjaValue {
        var scope = Scope(host: host, location: location, tally: tally)
        defer { tally = scope.tally }
        do throws(JinjaFault) {
            let value = try value(of: quoted.expression, &scope)
            if case .undefined(let fault) = value { throw fault }
            return value
        } catch {
            throw error.diagnostic(about: quoted.words, at: location)
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
