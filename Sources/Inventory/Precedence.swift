import Diagnostics

/// Decides which variables hold for a host.
///
/// The last to set a variable wins: `all`, then groups, parents before children and siblings by the alphabet, then the
/// same again in group_vars/, then the host, then host_vars/, then --extra-vars.
/// Source: docs.ansible.com, "Understanding variable precedence", and VARIABLE_PRECEDENCE in config/base.yml.
struct Precedence {
    private let declarations: Declarations
    private let files: VariableFiles
    private let extra: [Variable]
    /// How many groups are above a group, on the longest way.
    private var depths: [String: Int] = [:]
    private(set) var diagnostics = Diagnostics()

    init(_ declarations: Declarations, files: VariableFiles, extra: [Variable]) {
        self.declarations = declarations
        self.files = files
        self.extra = extra
        for name in declarations.groupNames { _ = depth(of: name, below: []) }
    }

    private mutating func depth(of group: String, below path: [String]) -> Int {
        if let depth = depths[group] { return depth }
        if let start = path.firstIndex(of: group) {
            let way = (path[start...] + [group]).reversed().joined(separator: " → ")
            diagnostics.report(
                "the group '\(group)' contains itself: \(way)", at: declarations.groups[group]?.thing.location)
            return 0
        }
        let above = (declarations.groups[group]?.parents ?? []).map { depth(of: $0, below: path + [group]) }.max()
        depths[group] = above.map { $0 + 1 } ?? 0
        return depths[group] ?? 0
    }

    /// The hosts with what holds for each.
    mutating func hosts() -> [Host] {
        declarations.hostNames.compactMap { name in
            guard let entry = declarations.hosts[name] else { return nil }
            let groups = ancestors(of: entry.parents)
            if groups == ["all"] {
                diagnostics.report("the host '\(name)' is in no group", at: entry.thing, remedy: "name it below one")
            }
            if let group = declarations.groups[name] {
                diagnostics.report(
                    "the host '\(name)' has the name of a group", at: entry.thing,
                    remedy: "the group is at \(group.thing.location)")
            }
            return host(name, at: entry.thing, groups: groups, variables: entry.variables)
        }
    }

    /// `all`, these groups and all above them, parents before children.
    private func ancestors(of groups: [String]) -> [String] {
        var found: Set = ["all"]
        var open = groups
        while let group = open.popLast() {
            if found.insert(group).inserted { open += declarations.groups[group]?.parents ?? [] }
        }
        return found.sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
    }

    private func host(_ name: String, at location: SourceLocation, groups: [String], variables: [Variable]) -> Host {
        let layers =
            groups.map { declarations.groups[$0]?.variables ?? [] } + groups.map { files.groups[$0] ?? [] }
            + [variables, files.hosts[name] ?? [], extra]
        var winners: [String: Variable] = [:]
        for variable in layers.joined() { winners[variable.name] = variable }
        var connection = Connection()
        for variable in winners.values where variable.isForConnection {
            // A fault was reported where the variable was read.
            try? connection.set(variable)
        }
        return Host(
            name: name, location: location, connection: connection, groups: groups.filter { $0 != "all" },
            variables: winners.filter { !$0.value.isForConnection })
    }

    /// Every variable as it is set anywhere.
    var declaredVariables: [Variable] {
        let inGroups = declarations.groupNames.flatMap { name in
            (declarations.groups[name]?.variables ?? []) + (files.groups[name] ?? [])
        }
        let inHosts = declarations.hostNames.flatMap { name in
            (declarations.hosts[name]?.variables ?? []) + (files.hosts[name] ?? [])
        }
        return (inGroups + inHosts + extra).filter { !$0.isForConnection }
    }
}
