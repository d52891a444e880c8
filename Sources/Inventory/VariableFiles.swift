import Diagnostics
import FoundationEssentials
import YAML

/// The variables of `group_vars/NAME.yml` and `host_vars/NAME.yml` beside the inventory.
struct VariableFiles {
    private(set) var groups: [String: [Variable]] = [:]
    private(set) var hosts: [String: [Variable]] = [:]
    private(set) var diagnostics = Diagnostics()

    init(beside inventory: String, for declarations: Declarations) {
        let directory = inventory.lastIndex(of: "/").map { String(inventory[...$0]) } ?? ""
        groups = read(directory + "group_vars", of: "group", among: declarations.groupNames)
        hosts = read(directory + "host_vars", of: "host", among: declarations.hostNames)
    }

    private mutating func read(_ directory: String, of kind: String, among known: [String]) -> [String: [Variable]] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [:] }
        var result: [String: [Variable]] = [:]
        for file in names.sorted() where !file.hasPrefix(".") && !file.hasSuffix("~") {
            let path = "\(directory)/\(file)"
            guard let ending = [".yml", ".yaml"].first(where: file.hasSuffix) else {
                diagnostics.report("'\(path)' is not read", remedy: "name it after a \(kind), as NAME.yml")
                continue
            }
            let name = String(file.dropLast(ending.count))
            guard known.contains(name) else {
                diagnostics.report(
                    "'\(path)' is for no \(kind) of the inventory",
                    remedy: Suggestion.remedy(for: name, among: known))
                continue
            }
            guard result[name] == nil else {
                diagnostics.report("'\(path)' is there with both endings", remedy: "keep one of them")
                continue
            }
            result[name] = read(path, origin: name == "all" ? "all" : "\(kind) \(name)")
        }
        return result
    }

    private mutating func read(_ path: String, origin: String) -> [Variable] {
        do {
            guard let root = try YAML.read(file: path) else { return [] }
            var reader = VariableReader(origin: origin)
            let variables = reader.read(root)
            diagnostics.add(reader.diagnostics)
            return variables
        } catch {
            diagnostics.add(error)
            return []
        }
    }
}
