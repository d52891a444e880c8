import Diagnostics
import FoundationEssentials
import Vault

/// The variables of `group_vars/` and `host_vars/` beside the inventories: a file `NAME.yml` for each group or host, or a
/// folder `NAME` of such files.
///
/// Source: ansible-core 2.19, `find_vars_files` in parsing/dataloader.py.
struct VariableFiles {
    private(set) var groups: [String: [Variable]] = [:]
    private(set) var hosts: [String: [Variable]] = [:]
    private(set) var diagnostics = Diagnostics()
    private let vault: VaultPasswords

    private static let endings = [".yml", ".yaml", ".json"]
    /// Endings of what lies in such folders without being variables.
    private static let ignoredEndings = ["~", ".bak", ".orig", ".swp", ".md", ".txt", ".rst"]
    /// Bounds the recursion.
    private static let greatestDepth = 20

    /// - Parameters:
    ///   - directories: where to look, each empty or with a `/` at the end; a later one overrides those before.
    ///   - vault: opens what is encrypted.
    init(in directories: [String], for declarations: Declarations, _ vault: VaultPasswords) {
        self.vault = vault
        let (knownGroups, knownHosts) = (Set(declarations.groupNames), Set(declarations.hostNames))
        for directory in directories {
            read(directory + "group_vars", of: "group", among: knownGroups, VariableOrigin.init(ofGroup:)) {
                $0.groups[$1, default: []] += $2
            }
            read(directory + "host_vars", of: "host", among: knownHosts, VariableOrigin.host) {
                $0.hosts[$1, default: []] += $2
            }
        }
    }

    private mutating func read(
        _ directory: String, of kind: String, among known: Set<String>,
        _ origin: (String) -> VariableOrigin, add: (inout VariableFiles, String, [Variable]) -> Void
    ) {
        var paths: [String: String] = [:]
        for entry in VariableFiles.entries(of: directory) ?? [] {
            let path = "\(directory)/\(entry)"
            guard let name = owner(of: entry, at: path, kind: kind, among: known) else { continue }
            if let other = paths[name] {
                diagnostics.report(
                    "'\(path)' is there beside '\(other)'", remedy: "keep one of them: Ansible reads only one")
                continue
            }
            paths[name] = path
            var visited = VisitedFolders()
            try? visited.enter(directory)
            add(&self, name, variables(in: path, origin: origin(name), depth: 0, &visited))
        }
    }

    /// For whom a file or folder is, or nil when that was reported.
    private mutating func owner(of entry: String, at path: String, kind: String, among known: Set<String>) -> String? {
        if known.contains(entry) { return entry }
        let ending = Self.endings.first(where: entry.hasSuffix)
        guard ending != nil || VariableFiles.isFolder(path) || !entry.contains(".") else {
            diagnostics.report("'\(path)' is not read", remedy: "name it after a \(kind), as NAME.yml")
            return nil
        }
        let name = String(entry.dropLast(ending?.count ?? 0))
        if known.contains(name) { return name }
        diagnostics.report(
            "'\(path)' is for no \(kind) of the inventory", remedy: Suggestion.remedy(for: name, among: known))
        return nil
    }

    private mutating func variables(
        in path: String, origin: VariableOrigin, depth: Int, _ visited: inout VisitedFolders
    ) -> [Variable] {
        guard let entries = VariableFiles.entries(of: path) else { return read(path, origin: origin) }
        guard depth < Self.greatestDepth else {
            diagnostics.report("'\(path)' is more than \(Self.greatestDepth) folders deep")
            return []
        }
        do {
            try visited.enter(path)
        } catch {
            diagnostics.report(error)
            return []
        }
        var variables: [Variable] = []
        for entry in entries {
            let file = "\(path)/\(entry)"
            guard !entry.contains(".") || Self.endings.contains(where: entry.hasSuffix) else {
                diagnostics.report("'\(file)' is not read", remedy: "name it NAME.yml")
                continue
            }
            variables += self.variables(in: file, origin: origin, depth: depth + 1, &visited)
        }
        return variables
    }

    /// What is in a folder, in the order in which Ansible reads it, or nil when it is none.
    private static func entries(of path: String) -> [String]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        return names.filter { name in !name.hasPrefix(".") && !ignoredEndings.contains(where: name.hasSuffix) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func isFolder(_ path: String) -> Bool { entries(of: path) != nil }

    private mutating func read(_ path: String, origin: VariableOrigin) -> [Variable] {
        do {
            let file = try VariableFile(reading: path, vault)
            guard let root = file.root else { return [] }
            var reader = VariableReader(origin: origin)
            reader.isBeside = true
            reader.isEncrypted = file.isEncrypted
            let variables = reader.read(root)
            diagnostics.add(reader.diagnostics)
            return variables
        } catch {
            diagnostics.add(error)
            return []
        }
    }
}
