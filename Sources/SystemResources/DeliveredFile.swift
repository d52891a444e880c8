public import Engine
import Secrets

/// Ensures that a file has the content of a file of this machine, however large that is, and this owner, group and mode.
///
/// It travels only when the host has another one. What it is is decided by its digest.
///
///     try DeliveredFile("/opt/tools/wal-g", from: LocalFile("files/wal-g"), mode: 0o755)
public struct DeliveredFile: Resource {
    public let path: String
    private let source: LocalFile
    private let owner: String
    private let group: String
    private let mode: FileMode
    private let check: ShellText?

    /// - Parameters:
    ///   - path: absolute. The directory must exist when the play reaches the file.
    ///   - check: a command that is given the path of the new file, beside the old one, as its last word, and fails
    ///     when the content is wrong. The old file then stays.
    public init(
        _ path: String, from source: LocalFile, owner: String = "root", group: String = "root", mode: FileMode = 0o644,
        checkedBy check: ShellText? = nil
    ) {
        self.check = check
        self.path = path
        self.source = source
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    public var name: String { "file \(path)" }

    private var content: FileContent { FileContent(path, digest: source.digest) }

    public var questions: [any Fact] { [FileStatus(path), content] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let attributes = try facts[FileStatus(path)]
        if try facts[content] == .asExpected, let attributes, attributes.kind == .file {
            return ownership.change(of: path, from: attributes).map { [$0] } ?? []
        }
        let delivery = Delivery(
            source.path, to: "\(Self.folder)/\(source.digest)", size: source.size, digest: source.digest)
        // It is renamed into its place like any other file; what was sent is no longer needed then.
        let replacement = Replacement(
            path: path, copyOf: delivery.path, access: .exactly(ownership),
            check: check)
        var script = replacement.script
        script += "\nrm -f -- \(quoting: delivery.path)"
        var change = Change(
            "write \(path), the \(source.size) bytes of \(source.path)", ownership: ownership.description,
            script: script,
            effects: [.writes(path)])
        change.deliveries = [delivery]
        return [change]
    }

    private var ownership: Ownership { Ownership(owner: owner, group: group, mode: mode) }

    /// Where files stand on a host until they are complete.
    private static let folder = "/var/cache/drover/files"
}
