import Diagnostics
import YAML

/// What the inventory file declares, before anything overrides anything.
struct Declarations {
    /// A group, or the place of a host.
    struct Entry<Thing> {
        var thing: Thing
        /// The groups directly above.
        var parents: [String] = []
        var variables: [Variable] = []
    }

    /// The names in the order of the file.
    private(set) var groupNames: [String] = []
    private(set) var hostNames: [String] = []
    private(set) var groups: [String: Entry<Group>] = [:]
    private(set) var hosts: [String: Entry<SourceLocation>] = [:]

    mutating func addGroup(_ name: String, at location: SourceLocation) {
        guard groups[name] == nil else { return }
        groupNames.append(name)
        groups[name] = Entry(thing: Group(name: name, location: location))
    }

    mutating func addChild(_ child: String, to parent: String) {
        guard groups[child]?.parents.contains(parent) == false else { return }
        groups[child]?.parents.append(parent)
        groups[parent]?.thing.children.append(child)
    }

    mutating func addHost(_ name: String, at location: SourceLocation, to group: String) {
        if hosts[name] == nil {
            hostNames.append(name)
            hosts[name] = Entry(thing: location)
        }
        guard hosts[name]?.parents.contains(group) == false else { return }
        hosts[name]?.parents.append(group)
        groups[group]?.thing.hosts.append(name)
    }

    /// - Throws: `Diagnostics` for variables that were set to something else before.
    mutating func set(_ variables: [Variable], ofGroup name: String) throws(Diagnostics) {
        try groups[name]?.add(variables)
    }

    /// - Throws: `Diagnostics` for variables that were set to something else before.
    mutating func set(_ variables: [Variable], ofHost name: String) throws(Diagnostics) {
        try hosts[name]?.add(variables)
    }
}

extension Declarations.Entry {
    /// Two parts of a file may say the same; Ansible would silently let the last of two that differ win.
    fileprivate mutating func add(_ more: [Variable]) throws(Diagnostics) {
        guard !variables.isEmpty else {
            variables = more
            return
        }
        var diagnostics = Diagnostics()
        let known = Dictionary(variables.map { ($0.name, $0) }) { first, _ in first }
        for variable in more {
            guard let earlier = known[variable.name] else {
                variables.append(variable)
                continue
            }
            if let text = earlier.node.text, text == variable.node.text { continue }
            diagnostics.report(
                "'\(variable.name)' of \(variable.origin) is set to something else at \(earlier.location)",
                at: variable.location, remedy: "keep one of them")
        }
        try diagnostics.throwIfAny()
    }
}
