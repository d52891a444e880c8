import Engine
import Secrets

/// Who owns what stands at a path, and who may do what with it.
struct Ownership: CustomStringConvertible {
    let owner: String
    let group: String
    let mode: FileMode

    /// `root:root 0644`
    var description: String { "\(owner):\(group) \(mode)" }

    /// - Returns: the change that makes it so, or nil when it is so.
    func change(of path: String, from current: FileStatus.Attributes) -> Change? {
        let isOwner = current.owner == owner && current.group == group
        let isMode = current.mode == mode
        if isOwner && isMode { return nil }
        var orders: [String] = []
        if !isOwner { orders.append("owner \(current.owner):\(current.group) → \(owner):\(group)") }
        if !isMode { orders.append("mode \(current.mode) → \(mode)") }
        let words = [path, isOwner ? "" : "\(owner):\(group)", isMode ? "" : mode.command]
        let keeping: ShellText = current.kind == .file ? "keep \(quoting: path)\n" : ""
        return Change(
            "set \(orders.joined(separator: ", ")) of \(path)", script: "\(keeping)give \(words: words)")
    }
}
