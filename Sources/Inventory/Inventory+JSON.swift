import YAML

extension Inventory {
    /// What `ansible-inventory --list` prints, with secrets masked: references to other variables stand there as they are
    /// written.
    public var listing: String {
        var members: [(name: String, value: JSONText)] = []
        var seen: Set<String> = []
        let groupsByName = Dictionary(groups.map { ($0.name, $0) }) { first, _ in first }
        var open = ["all"]
        while let name = open.popLast() {
            guard seen.insert(name).inserted, let group = groupsByName[name] else { continue }
            open += group.children.reversed()
            var parts: [(String, JSONText)] = []
            if !group.children.isEmpty { parts.append(("children", .array(group.children.map(JSONText.string)))) }
            if name != "all", !group.hosts.isEmpty {
                parts.append(("hosts", .array(group.hosts.map(JSONText.string))))
            }
            if !parts.isEmpty { members.append((name, .object(parts))) }
        }
        let hostVariables = hosts.compactMap { host in
            let variables = host.allVariables
            return variables.isEmpty ? nil : (host.name, JSONText.object(variables.map { ($0.name, $0.json) }))
        }
        let meta = JSONText.object([("hostvars", .object(hostVariables)), ("profile", .string("inventory_legacy"))])
        return JSONText.object(members + [("_meta", meta)]).description
    }
}

extension Host {
    /// Those of the connection too.
    var allVariables: [Variable] { Array(variables.values) + Array(connectionVariables.values) }
}

extension Variable {
    var json: JSONText {
        if SecretName.isSecret(name) { return SecretName.masked }
        let node = written ?? node
        return isText ? .string(node.text ?? "") : JSONText(node)
    }
}
