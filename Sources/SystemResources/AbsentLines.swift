public import Engine

/// Ensures that a text file has no line in which a regular expression is found.
///
/// As Ansible's `lineinfile` with `state: absent` does it. A file that does not exist has none.
///
///     try AbsentLines(matching: "^PermitRootLogin", in: "/etc/ssh/sshd_config", checkedBy: "sshd -t -f")
public struct AbsentLines: Resource {
    public let name: String
    private let edit: TextEdit

    /// - Parameters:
    ///   - pattern: a regular expression. Anchors mean the begin and the end of a line.
    ///   - path: absolute; not that of a symbolic link.
    ///   - check: a command that is given the path of the new file as its last word, and fails when the text is wrong. The
    ///     old file then stays.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(matching pattern: String, in path: String, checkedBy check: ShellText? = nil) throws {
        name = "no line with '\(pattern)' in \(path)"
        edit = TextEdit(
            path: path, createsFile: false, check: check, summary: "remove the lines with '\(pattern)' from \(path)"
        ) { lines in
            let pattern = try LinePattern(pattern, of: "")
            return lines.filter { pattern.lastIndex(in: [$0]) == nil }
        }
        try HostPath.check(path, of: name)
        _ = try LinePattern(pattern, of: name)
    }

    public var questions: [any Fact] { edit.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try edit.changes(given: facts, after: pending)
    }
}
