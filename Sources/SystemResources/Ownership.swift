import Drover
import Secrets

/// Who owns what stands at a path, and who may do what with it.
struct Ownership {
    let owner: String
    let group: String
    let mode: FileMode

    /// - Returns: the change that makes it so, or nil when it is so.
    func change(of path: String, from current: FileStatus.Attributes) -> Change? {
        var orders: [String] = []
        var commands: [String] = []
        if current.owner != owner || current.group != group {
            orders.append("owner \(current.owner):\(current.group) → \(owner):\(group)")
            commands.append("chown \(Shell.quote("\(owner):\(group)")) \(Shell.quote(path))")
        }
        if current.mode != mode {
            orders.append("mode \(current.mode) → \(mode)")
            commands.append("chmod \(mode.command) \(Shell.quote(path))")
        }
        if orders.isEmpty { return nil }
        if current.kind == .file { commands.insert("keep \(Shell.quote(path))", at: 0) }
        return Change(
            "set \(orders.joined(separator: ", ")) of \(path)", script: .init(commands.joined(separator: "\n")))
    }
}
