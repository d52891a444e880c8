public import Engine
public import Secrets

/// Ensures that a file has exactly this content, owner, group and mode.
///
///     File(
///         "/etc/sudoers.d/admins", containing: "%admins ALL=(ALL:ALL) ALL\n", mode: 0o440,
///         checkedBy: "visudo --check --quiet --file")
public struct File: Resource {
    public let path: String
    private let content: MaskedText
    private let owner: String
    private let group: String
    private let mode: FileMode
    private let check: ShellText?

    /// - Parameters:
    ///   - path: absolute. The directory must exist when the play reaches the file.
    ///   - content: the whole text. Its secrets appear in no plan and no diff.
    ///   - check: a command that is given the path of the new file, beside the old one, as its last word, and fails
    ///     when the content is wrong. The old file then stays.
    public init(
        _ path: String, containing content: MaskedText, owner: String = "root", group: String = "root",
        mode: FileMode = 0o644, checkedBy check: ShellText? = nil
    ) {
        self.path = path
        self.content = content
        self.owner = owner
        self.group = group
        self.mode = mode
        self.check = check
    }

    public var name: String { "file \(path)" }

    private var status: FileStatus { FileStatus(path) }
    private var wanted: FileContent { FileContent(path, expected: content.reveal()) }

    public var questions: [any Fact] { [status, wanted] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let attributes = try facts[status]
        switch try facts[wanted] {
        case .absent: return [attributes == nil ? write(.create, over: "") : write(over: nil)]
        case .different(let old):
            return [write(over: old, isPublic: mode.isPublic && attributes?.mode.isPublic ?? true)]
        case .asExpected:
            guard let attributes else { return [] }
            // A link to such a content: what it leads to is somebody else's.
            guard attributes.kind == .file else { return [write(over: content.reveal())] }
            return adjust(attributes).map { [$0] } ?? []
        }
    }

    /// - Parameter old: the content so far, or nil when it cannot be told: what stands there is no file.
    /// - Parameter isPublic: whether everybody may read both contents.
    private func write(_ kind: Change.Kind = .change, over old: String?, isPublic: Bool? = nil) -> Change {
        let isPublic = isPublic ?? mode.isPublic
        let diff = FileDiff.between(old ?? "", and: content, isPublic: isPublic)
        let replacement = Replacement(path: path, content: content, access: .exactly(ownership), check: check)
        let isPurged = RetiredSecret.mayBe(in: old ?? "", replacedBy: content, isPublic: isPublic)
        let script: ShellText = "\(isPurged ? "purge \(quoting: path)\n" : "")\(replacement.script)"
        return Change(
            "write \(path)", kind, ownership: ownership.description, diff: diff, script: script,
            effects: [.writes(path)])
    }

    /// The change that writes it whatever stands there, for a resource that decides by more than its content.
    public func written(_ summary: String) -> Change {
        Change(
            summary, ownership: ownership.description,
            script: Replacement(path: path, content: content, access: .exactly(ownership), check: check).script,
            effects: [.writes(path)])
    }

    private var ownership: Ownership { Ownership(owner: owner, group: group, mode: mode) }

    private func adjust(_ attributes: FileStatus.Attributes) -> Change? {
        ownership.change(of: path, from: attributes)
    }
}
