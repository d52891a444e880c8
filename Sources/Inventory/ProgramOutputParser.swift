import Diagnostics
import YAML

/// Reads the JSON of an executable inventory.
///
/// Source: ansible-core 2.19, plugins/inventory/script.py.
struct ProgramOutputParser {
    var diagnostics = Diagnostics()
    private(set) var declarations: Declarations
    /// Those that this program names, which another file may have named before.
    private var hosts: Set<String> = []

    init(_ declarations: Declarations) {
        self.declarations = declarations
    }

    /// The hosts whose variables the list does not tell.
    static func hostsToAsk(_ output: ProgramOutput) -> [String] {
        var parser = ProgramOutputParser(Declarations(file: output.file))
        guard let root = try? YAML.parse(output.list, file: output.file), root["_meta"] == nil else { return [] }
        parser.parseGroups(root)
        return parser.declarations.hostNames
    }

    mutating func parse(_ output: ProgramOutput) {
        guard let root = json(output.list, "\(output.file) --list") else { return }
        parseGroups(root)
        if let meta = root["_meta"] {
            // Ansible leaves alone what it tells of hosts that no group names.
            for (key, value) in entries(of: meta["hostvars"] ?? YAMLNode(.mapping([]), at: meta.location)) {
                guard let name = key.text, hosts.contains(name) else { continue }
                set(value, ofHost: name)
            }
        } else {
            for name in declarations.hostNames where hosts.contains(name) {
                guard let text = output.hosts[name], !text.allSatisfy(\.isWhitespace) else { continue }
                if let node = json(text, "\(output.file) --host \(name)") { set(node, ofHost: name) }
            }
        }
    }

    private mutating func json(_ text: String, _ file: String) -> YAMLNode? {
        do {
            guard let root = try YAML.parse(text, file: file), case .mapping = root.value else {
                diagnostics.report(
                    "the inventory '\(file)' prints no JSON object", remedy: "print {\"GROUP\": {\"hosts\": [...]}}")
                return nil
            }
            return root
        } catch {
            diagnostics.add(error)
            return nil
        }
    }

    private mutating func parseGroups(_ root: YAMLNode) {
        for (key, value) in entries(of: root) where key.text != "_meta" {
            guard let name = groupName(key) else { continue }
            declarations.addGroup(name, at: key.location)
            switch value.value {
            case .sequence: addHosts(value, to: name)
            case .mapping(let entries) where entries.isEmpty: break
            case .mapping where ["hosts", "vars", "children"].allSatisfy({ value[$0] == nil }):
                diagnostics.report(
                    "the group '\(name)' has neither 'hosts' nor 'vars' nor 'children'", at: key.location,
                    remedy: "print its hosts as {\"hosts\": [...]}")
            case .mapping:
                if let hosts = value["hosts"] { addHosts(hosts, to: name) }
                if let variables = value["vars"] { set(variables, ofGroup: name) }
                if let children = value["children"] { addChildren(children, to: name) }
            case .scalar: diagnostics.report(value.mismatch(expected: "the hosts of the group '\(name)'"))
            }
        }
    }

    private mutating func groupName(_ node: YAMLNode) -> String? {
        guard let name = node.text, Name.isGroup(name) else {
            diagnostics.report(
                "'\(node.text ?? "")' is no name of a group", at: node.location, remedy: "use letters, digits and '_'")
            return nil
        }
        return name
    }

    private mutating func addHosts(_ node: YAMLNode, to group: String) {
        for element in elements(of: node) {
            guard let name = element.text, Name.isHost(name) else {
                diagnostics.report("'\(element.text ?? "")' is no name of a host", at: element.location)
                continue
            }
            hosts.insert(name)
            declarations.addHost(name, at: element.location, to: group)
        }
    }

    private mutating func addChildren(_ node: YAMLNode, to group: String) {
        for element in elements(of: node) {
            guard let name = groupName(element) else { continue }
            guard name != "all", name != group else {
                diagnostics.report("'\(name)' cannot be below '\(group)'", at: element.location)
                continue
            }
            declarations.addGroup(name, at: element.location)
            declarations.addChild(name, to: group)
        }
    }

    private mutating func elements(of node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let elements) = node.value { return elements }
        diagnostics.report(node.mismatch(expected: "a list of names"))
        return []
    }

    private mutating func entries(of node: YAMLNode) -> [(key: YAMLNode, value: YAMLNode)] {
        if case .mapping(let entries) = node.value { return entries }
        diagnostics.report(node.mismatch(expected: "a JSON object"))
        return []
    }

    private mutating func set(_ node: YAMLNode, ofHost name: String) {
        var reader = VariableReader(origin: .host(name))
        let variables = reader.read(node)
        diagnostics.add(reader.diagnostics)
        do { try declarations.set(variables, ofHost: name) } catch { diagnostics.add(error) }
    }

    private mutating func set(_ node: YAMLNode, ofGroup name: String) {
        var reader = VariableReader(origin: VariableOrigin(ofGroup: name))
        let variables = reader.read(node)
        diagnostics.add(reader.diagnostics)
        do { try declarations.set(variables, ofGroup: name) } catch { diagnostics.add(error) }
    }
}
