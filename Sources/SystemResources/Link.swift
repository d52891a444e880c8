import Diagnostics
public import Engine
import Secrets

/// Ensures that a symbolic link leads somewhere.
///
/// It takes the place of another link or of a file, whose content is kept on the host; never that of a directory.
///
///     try Link("/usr/local/bin/wal-g", to: "/opt/tools/wal-g")
public struct Link: Resource {
    private let path: String
    private let target: String

    /// - Parameters:
    ///   - path: absolute. The directory must exist when the play reaches the link.
    ///   - target: where it leads, as it is written into the link: absolute, or from the link's directory on. Nothing needs
    ///     to stand there.
    /// - Throws: `Diagnostic` when a path is wrong.
    public init(_ path: String, to target: String) throws {
        self.path = path
        self.target = target
        try HostPath.check(path, of: name)
        try HostPath.checkLine(target, of: name)
        guard !target.isEmpty else { throw Diagnostic("\(name): it leads nowhere", remedy: "name a target") }
    }

    public var name: String { "link \(path)" }

    public var questions: [any Fact] { [PathEntry(path)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        switch try facts[PathEntry(path)] {
        case .link(target): []
        case .link(let old): [change("change the link \(path): \(old) → \(target)")]
        case .absent, .other: [change("make the link \(path) → \(target)", .create)]
        case .text, .binary: [change("replace the file \(path) by a link → \(target)")]
        }
    }

    /// The new link takes the place of the old one as a whole, so that nobody finds none.
    private func change(_ summary: String, _ kind: Change.Kind = .change) -> Change {
        let quoted = ShellText.quoting(path)
        let new = ShellText.quoting(path + ".drover.link")
        return Change(
            summary, kind,
            script: """
                [ ! -d \(quoted) ] || [ -L \(quoted) ] || { echo "a directory stands at" \(quoted); exit 1; }
                as_holder \(quoted) rm -f -- \(new)
                as_holder \(quoted) ln -s -- \(quoting: target) \(new)
                keep \(quoted)
                as_holder \(quoted) mv -fT -- \(new) \(quoted)
                """, effects: [.writes(path)])
    }
}
