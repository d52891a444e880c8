public import Diagnostics
public import YAML

/// A variable as it is set at one place.
public struct Variable: Sendable {
    public let name: String
    /// Where its name stands.
    public let location: SourceLocation
    /// Its value.
    public internal(set) var node: YAMLNode
    /// Its value as it is written, when references in it were replaced, or nil.
    var written: YAMLNode?
    /// For whom it is set: `all`, `group etcd_cluster`, `host pg1` or `--extra-vars`.
    public let origin: String
    /// Whether other variables are referred to in its value.
    var hasReferences = false
    /// Whether it is a text for Ansible although its value has the look of something else, as `true` in an INI file.
    public internal(set) var isText = false

    /// Whether Ansible takes it for itself rather than for playbooks.
    var isForConnection: Bool { name.hasPrefix("ansible_") }
}

/// Reads the variables of one origin.
struct VariableReader {
    let origin: String
    /// Whether they stand in `group_vars` or `host_vars`.
    var isBeside = false
    var diagnostics = Diagnostics()

    /// The variables of a mapping; what cannot be one is reported.
    mutating func read(_ node: YAMLNode) -> [Variable] {
        if node.isNull { return [] }
        guard node.tag == nil, case .mapping(let entries) = node.value else {
            diagnostics.report(node.mismatch(expected: "variables", remedy: "write each as 'name: value'"))
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
        var variable = Variable(name: name, location: key.location, node: value, origin: origin, isText: isText)
        let before = diagnostics.all.count
        variable.hasReferences = checkValue(value)
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

    /// Reports unknown tags, and Jinja beyond plain references, wherever they are in the value.
    ///
    /// - Returns: whether there are references.
    private mutating func checkValue(_ node: YAMLNode) -> Bool {
        do {
            if try SecretSource(node) != nil { return false }
        } catch {
            diagnostics.report(error)
            return false
        }
        switch node.value {
        case .scalar(let text, _):
            guard ReferenceText.isIn(text) else { return false }
            do { _ = try ReferenceText(text, at: node.location) } catch { diagnostics.report(error) }
            return true
        case .sequence(let elements):
            return elements.reduce(false) { checkValue($1) || $0 }
        case .mapping(let entries):
            return entries.reduce(false) { checkValue($1.value) || $0 }
        }
    }
}
