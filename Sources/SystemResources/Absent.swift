import Diagnostics
public import Engine
import Secrets

/// Ensures that nothing stands at a path.
///
/// Files and links can be had back: what they held is kept on the host, with the run that removed them.
///
///     try Absent("/etc/cron.d/old-backup")
public struct Absent: Resource {
    private let path: String
    private let recursively: Bool

    /// - Parameters:
    ///   - path: absolute. Of a symbolic link, the link itself is removed.
    ///   - recursively: whether a directory is removed with all that it holds, other file systems excepted. Otherwise only
    ///     an empty one is.
    /// - Throws: `Diagnostic` when the path is wrong, or one of those without which no host lives.
    public init(_ path: String, recursively: Bool = false) throws {
        self.path = path
        self.recursively = recursively
        try HostPath.check(path, of: name)
        let parts = path.split(separator: "/")
        guard parts.count > 1, !parts.contains(".."), !parts.contains(".") else {
            throw Diagnostic("\(name): this is too near to the root", remedy: "write the whole path of what is to go")
        }
    }

    public var name: String { "absent \(path)" }

    public var questions: [any Fact] { [FileStatus(path)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let attributes = try facts[FileStatus(path)] else { return [] }
        let quoted = ShellText.quoting(path)
        guard attributes.kind == .directory else {
            return [
                Change(
                    "remove \(path)", .remove, script: "keep \(quoted)\nas_holder \(quoted) rm -f -- \(quoted)",
                    effects: [.writes(path)]
                )
            ]
        }
        return [
            recursively
                ? Change(
                    "remove the directory \(path) and all that is in it", .remove, script: removeTree,
                    effects: [.writes(path)])
                : Change(
                    "remove the empty directory \(path)", .remove, script: removeEmpty, effects: [.writes(path)])
        ]
    }

    private var removeEmpty: ShellText {
        """
        as_holder \(quoting: path) rmdir -- \(quoting: path) || {
            echo "it is removed with what is in it only when Absent is told to do so recursively"
            exit 1
        }
        """
    }

    /// The shell's own patterns find everything, whatever its name; `.` and `..` match none of them.
    private var removeTree: ShellText {
        """
        keep_all() {
            for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
                if [ -L "$entry" ] || [ -f "$entry" ]; then keep "$entry"
                elif [ -d "$entry" ]; then keep_all "$entry"; fi
            done
        }
        keep_all \(quoting: path)
        as_holder \(quoting: path) rm -rf --one-file-system -- \(quoting: path)
        """
    }
}
