import Diagnostics

/// Decides which variables hold for a host.
///
/// The last to set a variable wins: `all`, then groups in their order, then the same again in group_vars/, then the host,
/// then host_vars/, then --extra-vars. Of two files the later wins.
/// Source: docs.ansible.com, "Understanding variable precedence", and VARIABLE_PRECEDENCE in config/base.yml.
struct Precedence {
    /// The winners of a host, by name.
    private struct Winners {
        var forPlaybooks: [String: Variable] = [:]
        var forConnection: [String: Variable] = [:]

        mutating func add(_ variable: Variable) {
            if variable.isForConnection {
                forConnection[variable.name] = variable
            } else {
                forPlaybooks[variable.name] = variable
            }
        }
    }

    private let declarations: Declarations
    private let files: VariableFiles
    private let extra: [Variable]
    private let order: GroupOrder
    /// What hosts directly in the same groups have in common: most hosts set few variables of their own.
    private var common: [[String]: (groups: [String], winners: Winners)] = [:]
    private(set) var diagnostics = Diagnostics()
    /// By the name of a variable, those to which its value refers.
    private(set) var references: [String: Set<String>] = [:]

    init(_ declarations: Declarations, files: VariableFiles, extra: [Variable]) {
        self.declarations = declarations
        self.files = files
        self.extra = extra
        order = GroupOrder(declarations)
        diagnostics = order.diagnostics
    }

    /// The hosts with what holds for each.
    mutating func hosts() -> [Host] {
        let fixed = Set(extra.map(\.name))
        var hosts: [Host] = []
        hosts.reserveCapacity(declarations.hostNames.count)
        for name in declarations.hostNames {
            guard let entry = declarations.hosts[name] else { continue }
            if let group = declarations.groups[name] {
                diagnostics.report(
                    "the host '\(name)' has the name of a group", at: entry.thing,
                    remedy: "the group is at \(group.thing.location)")
            }
            var (groups, winners) = common(of: entry.parents)
            for variable in entry.variables where !fixed.contains(variable.name) { winners.add(variable) }
            for variable in files.hosts[name] ?? [] where !fixed.contains(variable.name) { winners.add(variable) }
            hosts.append(host(name, at: entry.thing, groups: groups, winners))
        }
        return hosts
    }

    private mutating func common(of parents: [String]) -> (groups: [String], winners: Winners) {
        if let known = common[parents] { return known }
        let groups = order.ancestors(of: parents)
        let layers =
            groups.map { declarations.groups[$0]?.variables ?? [] } + groups.map { files.groups[$0] ?? [] } + [extra]
        var winners = Winners()
        for variable in layers.joined() { winners.add(variable) }
        let result = (groups.filter { $0 != "all" }, winners)
        common[parents] = result
        return result
    }

    private func host(
        _ name: String, at location: SourceLocation, groups: [String], _ winners: Winners
    ) -> Host {
        var connection = Connection()
        // Of several names for the same, Ansible prefers those with 'ssh' in them, which come later.
        let connectionVariables = winners.forConnection.values.sorted { $0.name < $1.name }
        for variable in connectionVariables where !variable.hasReferences || variable.written != nil {
            // A fault was reported where the variable was read.
            try? connection.set(variable)
        }
        return Host(
            name: name, location: location, connection: connection, groups: groups, variables: winners.forPlaybooks,
            connectionVariables: winners.forConnection)
    }

    /// The hosts with the references in their variables replaced.
    mutating func resolving(_ hosts: [Host], in directory: String) -> [Host] {
        guard hosts.contains(where: \.hasReferences) else { return hosts }
        var references = References(
            hosts, groups: declarations.groupNames.compactMap { declarations.groups[$0]?.thing },
            surroundings: Surroundings(directory: directory))
        var result: [Host] = []
        result.reserveCapacity(hosts.count)
        for host in hosts {
            var winners = Winners(forPlaybooks: host.variables, forConnection: host.connectionVariables)
            for variable in host.referringVariables { winners.add(references.resolve(variable, of: host)) }
            for variable in winners.forConnection.values where variable.written != nil {
                var connection = Connection()
                do { try connection.set(variable) } catch { diagnostics.report(error) }
            }
            result.append(self.host(host.name, at: host.location, groups: host.groups, winners))
        }
        diagnostics.add(references.diagnostics)
        self.references = references.names
        return result
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

extension Host {
    /// Those in which others are referred to, in a fixed order.
    var referringVariables: [Variable] {
        allVariables.filter(\.hasReferences).sorted { $0.name < $1.name }
    }

    var hasReferences: Bool {
        variables.values.contains(where: \.hasReferences) || connectionVariables.values.contains(where: \.hasReferences)
    }
}
