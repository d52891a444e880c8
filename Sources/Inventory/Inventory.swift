import Diagnostics
import YAML

/// The hosts, their groups and their variables, read from Ansible's YAML inventory.
public struct Inventory: Sendable {
    /// The file, as the person named it.
    public let file: String
    /// The hosts in the order in which the file names them first.
    public internal(set) var hosts: [Host]
    /// The groups in the order in which the file names them first; `all` and `ungrouped` are always there.
    public let groups: [Group]
    /// Every variable wherever it is set, also where another overrides it, without those of the connection.
    public let declaredVariables: [Variable]

    /// Reads an inventory file, and `group_vars/` and `host_vars/` beside it.
    ///
    /// Runs no command and reads no secret: see ``resolvingSecrets()``.
    ///
    /// - Parameter extraVariables: `KEY=VALUE` texts that override all files, for every host; a value is read as YAML.
    /// - Throws: `Diagnostics` with everything that is wrong.
    public static func load(file: String, extraVariables: [String] = []) throws -> Inventory {
        guard let root = try YAML.read(file: file), !root.isNull else {
            throw Diagnostics([Diagnostic("the inventory '\(file)' names no hosts", remedy: "begin with 'all:'")])
        }
        var parser = InventoryParser(Declarations(file: file))
        parser.parse(root)
        var declarations = parser.declarations
        declarations.reconcile()
        let files = VariableFiles(beside: file, for: declarations)
        let extra = ExtraVariables(extraVariables)
        var precedence = Precedence(declarations, files: files, extra: extra.variables)
        let hosts = precedence.hosts()
        var diagnostics = parser.diagnostics
        for more in [files.diagnostics, extra.diagnostics, precedence.diagnostics] { diagnostics.add(more) }
        try diagnostics.throwIfAny()
        return Inventory(
            file: file, hosts: hosts,
            groups: declarations.groupNames.compactMap { declarations.groups[$0]?.thing },
            declaredVariables: precedence.declaredVariables)
    }

    /// The hosts of a group and of the groups below it, in the order of the file; none when there is no such group.
    public func hosts(in group: String) -> [Host] {
        group == "all" ? hosts : hosts.filter { $0.groups.contains(group) }
    }
}
