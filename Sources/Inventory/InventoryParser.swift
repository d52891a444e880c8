import Diagnostics
import YAML

/// Reads Ansible's YAML inventory.
struct InventoryParser {
    var diagnostics = Diagnostics()
    private(set) var declarations: Declarations

    init(_ declarations: Declarations) {
        self.declarations = declarations
    }

    mutating func parse(_ root: YAMLNode) {
        guard root.tag == nil, case .mapping(let entries) = root.value else {
            diagnostics.report(root.mismatch(expected: "a mapping of groups", remedy: "begin with 'all:'"))
            return
        }
        if let plugin = root["plugin"], plugin.text != nil, !plugin.isNull {
            diagnostics.report(
                "inventory plugins are not supported", at: plugin.location,
                remedy: "write what it finds as YAML, or run it by a program that prints JSON")
            return
        }
        for entry in entries { parseGroup(entry.key, entry.value, parent: nil) }
    }

    private mutating func parseGroup(_ key: YAMLNode, _ body: YAMLNode, parent: String?) {
        guard let name = key.text else { return }
        guard Name.isGroup(name) else {
            diagnostics.report(
                "'\(name)' is no name of a group", at: key.location, remedy: "use letters, digits and '_'")
            return
        }
        declarations.addGroup(name, at: key.location)
        if let parent { declarations.addChild(name, to: parent) }
        for (key, value) in entries(of: body, as: "'hosts', 'children' or 'vars'") {
            switch key.text ?? "" {
            case "hosts": parseHosts(value, of: name)
            case "children":
                for child in entries(of: value, as: "groups", each: true) {
                    if child.key.text == name || child.key.text == "all" {
                        diagnostics.report(
                            "'\(child.key.text ?? "")' cannot be below '\(name)'", at: child.key.location)
                    } else {
                        parseGroup(child.key, child.value, parent: name)
                    }
                }
            case "vars":
                var reader = VariableReader(origin: VariableOrigin(ofGroup: name))
                let variables = reader.read(value)
                diagnostics.add(reader.diagnostics)
                report { (declarations: inout Declarations) throws(Diagnostics) in
                    try declarations.set(variables, ofGroup: name)
                }
            case let word:
                let keys = ["hosts", "children", "vars"]
                diagnostics.report(
                    "unknown key '\(word)' in the group '\(name)'", at: key.location,
                    remedy: Suggestion.remedy(for: word, among: keys)
                        ?? "a group has 'hosts', 'children' and 'vars'; groups stand below 'children'")
            }
        }
    }

    private mutating func parseHosts(_ node: YAMLNode, of group: String) {
        for (key, value) in entries(of: node, as: "hosts", each: true) {
            guard let pattern = key.text else { continue }
            let hosts: HostNames
            do {
                hosts = try HostNames(pattern)
            } catch {
                diagnostics.report(error.message, at: key.location, remedy: error.remedy)
                continue
            }
            for name in hosts.names {
                declarations.addHost(name, at: key.location, to: group)
                var reader = VariableReader(origin: .host(name))
                var variables = reader.read(value)
                if let port = hosts.port, !variables.contains(where: { $0.name == "ansible_port" }) {
                    let name = YAMLNode(.scalar("ansible_port", plain: true), at: key.location)
                    let number = YAMLNode(.scalar(port, plain: true), at: key.location)
                    variables += [reader.read(name, number)].compactMap(\.self)
                }
                diagnostics.add(reader.diagnostics)
                report { (declarations: inout Declarations) throws(Diagnostics) in
                    try declarations.set(variables, ofHost: name)
                }
            }
        }
    }

    private mutating func report(_ body: (inout Declarations) throws(Diagnostics) -> Void) {
        do {
            try body(&declarations)
        } catch {
            diagnostics.add(error)
        }
    }

    /// The entries of a mapping; none when there is nothing, or something else, which is reported.
    ///
    /// - Parameter each: whether a list there is probably a list of names, which want to be keys.
    private mutating func entries(
        of node: YAMLNode, as what: String, each: Bool = false
    ) -> [(key: YAMLNode, value: YAMLNode)] {
        if node.isNull { return [] }
        guard node.tag == nil, case .mapping(let entries) = node.value else {
            diagnostics.report(
                node.mismatch(
                    expected: "a mapping of \(what)",
                    remedy: each ? "write each on a line of its own with a colon: 'name:'" : nil))
            return []
        }
        return entries
    }
}

extension Diagnostics {
    mutating func add(_ more: Diagnostics) {
        for diagnostic in more.all { report(diagnostic) }
    }
}
