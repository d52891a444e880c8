import Diagnostics
import YAML

/// What the files of an inventory declare, before anything overrides anything.
struct Declarations {
    /// A group, or the place of a host.
    struct Entry<Thing> {
        var thing: Thing
        /// The groups directly above.
        var parents: [String] = []
        var variables: [Variable] = []
        /// `ansible_group_priority`.
        var priority = 1
    }

    /// The names in the order of the files; `all` and `ungrouped` are always there.
    private(set) var groupNames: [String] = []
    private(set) var hostNames: [String] = []
    private(set) var groups: [String: Entry<Group>] = [:]
    private(set) var hosts: [String: Entry<SourceLocation>] = [:]

    /// - Parameter file: where somebody would look for the two groups that are always there.
    init(file: String) {
        let start = SourceLocation(file: file, line: 1, column: 1)
        addGroup("all", at: start)
        addGroup("ungrouped", at: start)
        addChild("ungrouped", to: "all")
    }

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

    /// Puts what stands nowhere below `all`, and `ungrouped` holds the hosts of no other group.
    ///
    /// Source: ansible-core 2.19, `reconcile_inventory` in inventory/data.py.
    mutating func reconcile() {
        for name in groupNames where name != "all" && groups[name]?.parents.isEmpty == true {
            addChild(name, to: "all")
        }
        var grouped: Set<String> = []
        for name in hostNames {
            guard let entry = hosts[name] else { continue }
            if entry.parents.allSatisfy({ $0 == "all" || $0 == "ungrouped" }) {
                addHost(name, at: entry.thing, to: "ungrouped")
            } else if entry.parents.contains("ungrouped") {
                grouped.insert(name)
                hosts[name]?.parents.removeAll { $0 == "ungrouped" }
            }
        }
        if !grouped.isEmpty { groups["ungrouped"]?.thing.hosts.removeAll(where: grouped.contains) }
    }

    /// - Throws: `Diagnostics` for variables that the same file has set to something else before.
    mutating func set(_ variables: [Variable], ofGroup name: String) throws(Diagnostics) {
        for variable in variables where variable.name == GroupPriority.variable {
            // A fault was reported where the variable was read.
            if let priority = try? GroupPriority(variable) { groups[name]?.priority = priority.number }
        }
        try groups[name]?.add(variables.filter { $0.name != GroupPriority.variable })
    }

    /// - Throws: `Diagnostics` for variables that the same file has set to something else before.
    mutating func set(_ variables: [Variable], ofHost name: String) throws(Diagnostics) {
        try hosts[name]?.add(variables)
    }
}

extension Declarations.Entry {
    /// Two parts of a file may say the same; Ansible would silently let the last of two that differ win. A later file may
    /// say something else.
    fileprivate mutating func add(_ more: [Variable]) throws(Diagnostics) {
        guard !variables.isEmpty else {
            variables = more
            return
        }
        guard !more.isEmpty else { return }
        var diagnostics = Diagnostics()
        var known = Dictionary(variables.map { ($0.name, $0) }) { $1 }
        for variable in more {
            if let earlier = known[variable.name], earlier.location.file == variable.location.file {
                if let text = earlier.node.text, text == variable.node.text { continue }
                diagnostics.report(
                    "'\(variable.name)' of \(variable.origin) is set to something else at \(earlier.location)",
                    at: variable.location, remedy: "keep one of them")
            }
            variables.append(variable)
            known[variable.name] = variable
        }
        try diagnostics.throwIfAny()
    }
}
