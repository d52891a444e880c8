public import Diagnostics
public import YAML

/// A variable as it is set at one place.
public struct Variable: Sendable {
    private struct Content: Sendable {
        let name: String
        let location: SourceLocation
        let origin: VariableOrigin
        let isForConnection: Bool
        var node: YAMLNode
        var written: YAMLNode?
        var hasReferences = false
        var takesFromCommandLine = false
        var takesFacts = false
        var isFromOutside = false
        var faults: [Diagnostic] = []
        var isText: Bool
    }

    /// Every host has a table of all its variables, mostly the same ones: a pointer is quickly copied.
    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    private var storage: Storage

    private var content: Content {
        get { storage.content }
        set { storage = Storage(newValue) }
    }

    init(name: String, location: SourceLocation, node: YAMLNode, origin: VariableOrigin, isText: Bool = false) {
        storage = Storage(
            Content(
                name: name, location: location, origin: origin, isForConnection: name.hasPrefix("ansible_"), node: node,
                isText: isText))
    }

    public var name: String { content.name }

    /// Where its name stands.
    public var location: SourceLocation { content.location }

    /// The declaration that sets it.
    public var origin: VariableOrigin { content.origin }

    /// Whether its value comes from the command line: from `--extra-vars`, or by references, however many.
    public var isFromCommandLine: Bool { content.origin == .commandLine || content.takesFromCommandLine }

    /// Whether its references lead to a variable of the command line.
    var takesFromCommandLine: Bool {
        get { content.takesFromCommandLine }
        set { content.takesFromCommandLine = newValue }
    }

    /// Whether its value depends on what only the host itself knows.
    public internal(set) var takesFacts: Bool {
        get { content.takesFacts }
        set { content.takesFacts = newValue }
    }

    /// Whether its value comes from the environment or from a file, so that it may be a secret.
    var isFromOutside: Bool {
        get { content.isFromOutside }
        set { content.isFromOutside = newValue }
    }

    /// Its value.
    public internal(set) var node: YAMLNode {
        get { content.node }
        set { content.node = newValue }
    }

    /// Its value as it is written, when references in it were replaced, or nil.
    var written: YAMLNode? {
        get { content.written }
        set { content.written = newValue }
    }

    /// Whether other variables are referred to in its value.
    var hasReferences: Bool {
        get { content.hasReferences }
        set { content.hasReferences = newValue }
    }

    /// Why its value cannot be known: its Jinja is wrong, or refers to what is not there. That is wrong only
    /// where somebody asks for it: the inventories of people have variables for other tools, too.
    public internal(set) var faults: [Diagnostic] {
        get { content.faults }
        set { content.faults = newValue }
    }

    /// Whether it is a text for Ansible although its value has the look of something else, as `true` in an INI file.
    var isText: Bool { content.isText }

    /// Whether Ansible takes it for itself rather than for playbooks.
    var isForConnection: Bool { content.isForConnection }
}

/// Reads the variables of one origin.
struct VariableReader {
    let origin: VariableOrigin
    /// Whether they stand in `group_vars` or `host_vars`.
    var isBeside = false
    /// Whether they were encrypted: then their values are secrets.
    var isEncrypted = false
    var diagnostics = Diagnostics()

    /// The variables of a mapping; what cannot be one is reported.
    mutating func read(_ node: YAMLNode) -> [Variable] {
        if node.isNull { return [] }
        guard node.tag == nil, case .mapping(let entries) = node.value else {
            let found = isEncrypted ? YAMLNode(node.value, at: node.location, tag: YAMLNode.secretTag) : node
            diagnostics.report(found.mismatch(expected: "variables", remedy: "write each as 'name: value'"))
            return []
        }
        return entries.compactMap { read($0.key, $0.value) }
    }

    mutating func read(_ key: YAMLNode, _ value: YAMLNode, isText: Bool = false) -> Variable? {
        guard let name = key.text else { return nil }
        guard Name.isVariable(name) else {
            diagnostics.report(
                "'\(name)' is no name of a variable", at: key.location, remedy: "use letters, digits and '_'")
            return nil
        }
        let before = diagnostics.all.count
        let node = isEncrypted ? concealed(value) : value
        var variable = Variable(name: name, location: key.location, node: node, origin: origin, isText: isText)
        if !isEncrypted {
            var faults: [Diagnostic] = []
            variable.hasReferences = checkValue(value, &faults)
            if variable.isForConnection {
                for fault in faults { diagnostics.report(fault) }
            } else {
                variable.faults = faults
            }
        }
        if name == GroupPriority.variable {
            do { _ = try GroupPriority(variable, isBeside: isBeside) } catch { diagnostics.report(error) }
        } else if variable.isForConnection, !variable.hasReferences, diagnostics.all.count == before {
            var connection = Connection()
            do {
                try connection.set(variable)
            } catch {
                diagnostics.report(error)
            }
        }
        return variable
    }

    /// A value that was encrypted, with all texts in it made secrets. What is wrong is told without showing it.
    private mutating func concealed(_ node: YAMLNode) -> YAMLNode {
        if node.isNull { return node }
        var result = node
        switch node.value {
        case _ where node.tag != nil:
            if (try? SecretSource(node)) == nil {
                diagnostics.report(
                    "an encrypted value has a tag that is not understood", at: node.location,
                    remedy: "if the value itself begins with '!', put it in quotes")
            }
        case .scalar(let text, _):
            if JinjaTemplate.isIn(text) {
                diagnostics.report(
                    "an encrypted value has Jinja in it, which is not evaluated there", at: node.location,
                    remedy: "refer to it, alone, by '{{ name }}' in a file that is not encrypted")
            }
            result.tag = YAMLNode.secretTag
        case .sequence(let elements): result.value = .sequence(elements.map { concealed($0) })
        case .mapping(let entries): result.value = .mapping(entries.map { ($0.key, concealed($0.value)) })
        }
        return result
    }

    /// Reports unknown tags, wherever they are in the value.
    ///
    /// - Parameter faults: gets what is wrong with the Jinja in it.
    /// - Returns: whether there are references.
    private mutating func checkValue(_ node: YAMLNode, _ faults: inout [Diagnostic]) -> Bool {
        do {
            if try SecretSource(node) != nil { return false }
        } catch {
            diagnostics.report(error)
            return false
        }
        switch node.value {
        case .scalar(let text, _):
            guard JinjaTemplate.isIn(text) else { return false }
            do { _ = try JinjaTemplate(text, at: node.location) } catch { faults.append(error) }
            return true
        case .sequence(let elements):
            return elements.reduce(false) { checkValue($1, &faults) || $0 }
        case .mapping(let entries):
            return entries.reduce(false) { checkValue($1.value, &faults) || $0 }
        }
    }
}
