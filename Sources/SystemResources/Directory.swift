public import Engine
import Secrets

/// Ensures that a directory exists, with this owner, group and mode.
///
///     Directory("/srv/www", owner: "www-data", group: "www-data", mode: 0o750)
public struct Directory: Resource {
    public let path: String
    private let owner: String
    private let group: String
    private let mode: FileMode

    /// - Parameter path: absolute. Missing parents are made too, with mode 0755; they belong to root, or to the user in
    ///   whose directory they are.
    public init(_ path: String, owner: String = "root", group: String = "root", mode: FileMode = 0o755) {
        self.path = path
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    public var name: String { "directory \(path)" }

    public var questions: [any Fact] { [FileStatus(path)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let attributes = try facts[FileStatus(path)] else { return [make] }
        // Where something else stands, making it fails with a clear word, before anything is harmed.
        guard attributes.kind == .directory else { return [make] }
        return Ownership(owner: owner, group: group, mode: mode).change(of: path, from: attributes).map { [$0] } ?? []
    }

    private var make: Change {
        let quoted = ShellText.quoting(path)
        return Change(
            "make directory \(path)", .create, ownership: Ownership(owner: owner, group: group, mode: mode).description,
            script: """
                [ ! -L \(quoted) ] || {
                    echo "a symbolic link to $(readlink -- \(quoted)) stands at" \(quoted)
                    echo "declare the directory that it leads to, or remove it first with Absent"
                    exit 1
                }
                make_directory \(quoted) \(quoting: "\(owner):\(group)") \(quoting: mode.command)
                """)
    }
}
