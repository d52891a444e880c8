public import Diagnostics
public import Vault

/// The hosts, their groups and their variables, read from Ansible's inventories.
public struct Inventory: Sendable {
    /// The files, as the person named them.
    public let file: String
    /// The hosts in the order in which the file names them first.
    public internal(set) var hosts: [Host]
    /// The groups in the order in which the file names them first; `all` and `ungrouped` are always there.
    public let groups: [Group]
    /// Every variable wherever it is set, also where another overrides it, without those of the connection.
    public let declaredVariables: [Variable]

    /// Where its files are, each empty or with a `/` at the end: relative paths in them begin there.
    var directories: [String] = []
    /// Opens what is encrypted.
    var vault = VaultPasswords()
    /// By the name of a variable, those to which its value refers.
    var references: [String: Set<String>] = [:]
    /// What expressions took from beyond its files.
    var surroundings = Surroundings()

    /// Reads an inventory file, and `group_vars/` and `host_vars/` beside it.
    ///
    /// Runs no command and reads no secret: see ``resolvingSecrets()``.
    ///
    /// - Parameters:
    ///   - file: a file in YAML or INI, or a directory of them.
    ///   - extraVariables: what overrides all files, for every host: `KEY=VALUE` texts, whose values are read as YAML,
    ///     `@FILE` for a file of variables, or a mapping in YAML or JSON.
    ///   - vault: opens what ansible-vault has encrypted.
    /// - Throws: `Diagnostics` with everything that is wrong; also when it is a program, which
    ///   ``load(_:extraVariables:vault:)`` runs.
    public static func load(
        file: String, extraVariables: [String] = [], vault: VaultPasswords = VaultPasswords()
    ) throws(Diagnostics) -> Inventory {
        let sources = try InventorySources([file])
        if let program = sources.programs.first {
            throw Diagnostics([Diagnostic("the inventory '\(program)' is a program, which is not run here")])
        }
        return try read(sources, outputs: [:], extraVariables, vault)
    }

    /// Reads several inventories, of which a later one overrides those before, and `group_vars/` and `host_vars/` beside
    /// them. Programs among them are run.
    ///
    /// - Parameters:
    ///   - sources: files in YAML or INI, directories of them, programs that print Ansible's JSON, and names of hosts
    ///     with commas between them.
    ///   - extraVariables: as for ``load(file:extraVariables:vault:)``.
    ///   - vault: opens what ansible-vault has encrypted.
    /// - Throws: `Diagnostics` with everything that is wrong.
    public static func load(
        _ sources: [String], extraVariables: [String] = [], vault: VaultPasswords = VaultPasswords()
    ) async throws(Diagnostics) -> Inventory {
        let sources = try InventorySources(sources)
        var outputs: [String: ProgramOutput] = [:]
        for program in sources.programs {
            do { outputs[program] = try await ProgramOutput.read(program) } catch { throw Diagnostics([error]) }
        }
        return try read(sources, outputs: outputs, extraVariables, vault)
    }

    private static func read(
        _ sources: InventorySources, outputs: [String: ProgramOutput], _ extraVariables: [String],
        _ vault: VaultPasswords
    ) throws(Diagnostics) -> Inventory {
        var diagnostics = Diagnostics()
        let contents = sources.contents(outputs: outputs, &diagnostics)
        try diagnostics.throwIfAny()
        return try merge(contents, name: sources.name, directories: sources.directories, extraVariables, vault)
    }

    /// Merges what was read, and reads the variables beside it.
    static func merge(
        _ contents: [InventoryContent], name: String, directories: [String], _ extraVariables: [String] = [],
        _ vault: VaultPasswords = VaultPasswords()
    ) throws(Diagnostics) -> Inventory {
        var reader = InventoryReader(file: name)
        for content in contents { reader.read(content) }
        var declarations = reader.declarations
        declarations.reconcile()
        let files = VariableFiles(in: directories, for: declarations, vault)
        let extra = ExtraVariables(extraVariables, vault)
        var precedence = Precedence(declarations, files: files, extra: extra.variables)
        // What could not be read may be what others refer to.
        let isComplete = files.diagnostics.isEmpty && extra.diagnostics.isEmpty
        let hosts =
            isComplete ? precedence.resolving(precedence.hosts(), in: directories.first ?? "") : precedence.hosts()
        var diagnostics = reader.diagnostics
        for more in [files.diagnostics, extra.diagnostics, precedence.diagnostics] { diagnostics.add(more) }
        if diagnostics.isEmpty, declarations.hostNames.isEmpty, declarations.groupNames.count == 2 {
            diagnostics.report("the inventory '\(name)' names no hosts", remedy: "write one name a line")
        }
        try diagnostics.throwIfAny()
        return Inventory(
            file: name, hosts: hosts,
            groups: declarations.groupNames.compactMap { declarations.groups[$0]?.thing },
            declaredVariables: precedence.declaredVariables, directories: directories, vault: vault,
            references: precedence.references, surroundings: Surroundings(directory: directories.first ?? ""))
    }

    /// The hosts of a group and of the groups below it, in the order of the file; none when there is no such group.
    public func hosts(in group: String) -> [Host] {
        group == "all" ? hosts : hosts.filter { $0.groups.contains(group) }
    }

    /// The host of a name.
    ///
    /// - Throws: a `Diagnostic` when there is none.
    public func host(named name: String) throws(Diagnostic) -> Host {
        guard let host = hosts.first(where: { $0.name == name }) else {
            throw Diagnostic(
                "no host is named '\(name)'", remedy: Suggestion.remedy(for: name, among: hosts.map(\.name)))
        }
        return host
    }
}
