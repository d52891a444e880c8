import Diagnostics
public import Engine
public import Secrets

/// Ensures that a text file has a line.
///
/// As Ansible's `lineinfile` does it: of the lines in which `pattern` is found, the last one becomes the line; when it is
/// found in none, and the line is not there already, the line is inserted. The rest of the file is left alone.
///
/// Several lines and blocks of one play may change the same file. None may change a file whose whole text a ``File`` says.
///
///     try Line("PasswordAuthentication no", in: "/etc/ssh/sshd_config", replacing: "^#?PasswordAuthentication")
public struct Line: Resource {
    public let name: String
    private let edit: TextEdit

    /// - Parameters:
    ///   - line: without its line break.
    ///   - path: absolute; not that of a symbolic link.
    ///   - pattern: a regular expression that is found in the line that is to be replaced, and in the new one too. Anchors
    ///     mean the begin and the end of the line: `^#?Port `.
    ///   - place: where the line is inserted when there is none to replace.
    ///   - createsFile: whether a file that does not exist is made: root's, and readable by all unless it gets
    ///     secrets. It is an error otherwise.
    ///   - check: a command that is given the path of the new file as its last word, and fails when the text is wrong:
    ///     `sshd -t -f`. The old file then stays.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(
        _ line: MaskedText, in path: String, replacing pattern: String? = nil, at place: TextPlace = .end,
        createsFile: Bool = false, checkedBy check: ShellText? = nil
    ) throws {
        name = "line '\(line)' in \(path)"
        edit = TextEdit(
            path: path, createsFile: createsFile, check: check, summary: "put the line '\(line)' into \(path)"
        ) { lines in
            try Self.putting(line, into: lines, replacing: pattern, at: place)
        }
        try HostPath.check(path, of: name)
        guard !line.reveal().utf8.contains(UInt8(ascii: "\n")), line.reveal() != "" else {
            throw Diagnostic("\(name): it is not one line", remedy: "declare several lines as a Block")
        }
        if let pattern { _ = try LinePattern(pattern, of: name) }
        try place.check(of: name)
    }

    public var questions: [any Fact] { edit.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try edit.changes(given: facts, after: pending)
    }

    private static func putting(
        _ line: MaskedText, into lines: [MaskedText], replacing pattern: String?, at place: TextPlace
    ) throws -> [MaskedText] {
        var lines = lines
        if let pattern, let index = try LinePattern(pattern, of: "").lastIndex(in: lines) {
            // Kept as it was read when it says the same, secret or not.
            if lines[index].reveal() != line.reveal() { lines[index] = line }
            return lines
        }
        if lines.contains(where: { $0.reveal() == line.reveal() }) { return lines }
        lines.insert(line, at: try place.index(in: lines))
        return lines
    }
}
