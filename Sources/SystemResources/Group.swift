public import Engine
import Secrets

/// Ensures that a group exists.
///
///     Group("admins")
public struct Group: Resource {
    private let group: String
    private let gid: Int?
    private let isSystem: Bool

    /// - Parameters:
    ///   - gid: the number; nil takes the next free one, and leaves the number of an existing group as it is.
    ///   - isSystem: whether a new group's number is taken from those of the system's own groups.
    public init(_ group: String, gid: Int? = nil, isSystem: Bool = false) {
        self.group = group
        self.gid = gid
        self.isSystem = isSystem
    }

    public var name: String { "group \(group)" }

    public var questions: [any Fact] { [GroupEntry(group)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let number: ShellText = gid.map { " --gid \($0)" } ?? ""
        guard let current = try facts[GroupEntry(group)] else {
            let system: ShellText = isSystem ? " --system" : ""
            return [
                Change("add group \(group)", .create, script: "groupadd\(system)\(number) -- \(quoting: group)")
            ]
        }
        guard let gid, gid != current else { return [] }
        return [
            Change(
                "set number \(current) → \(gid) of group \(group)",
                script: "groupmod\(number) -- \(quoting: group)")
        ]
    }
}
