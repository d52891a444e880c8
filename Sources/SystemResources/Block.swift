import Diagnostics
public import Engine
public import Secrets

/// Ensures that a text file has a block of lines between two markers.
///
/// As Ansible's `blockinfile` does it: a block whose markers are there is replaced where it stands; otherwise it is
/// inserted with them. The rest of the file is left alone.
///
/// Several lines and blocks of one play may change the same file. None may change a file whose whole text a ``File`` says.
///
///     try Block(
///         "replication", in: "/etc/hosts.allow", containing: "sshd: 10.0.0.0/8", createsFile: true)
public struct Block: Resource {
    /// The lines between which a block stands.
    public struct Markers: Hashable, Sendable {
        public let begin: String
        public let end: String

        /// For taking over a block that something else has made: `# BEGIN ANSIBLE MANAGED BLOCK`.
        public init(begin: String, end: String) {
            self.begin = begin
            self.end = end
        }

        /// `# BEGIN drover NAME` and `# END drover NAME`.
        ///
        /// - Parameter comment: what makes a line a comment in this file.
        public init(_ name: String, comment: String = "#") {
            self.init(begin: "\(comment) BEGIN drover \(name)", end: "\(comment) END drover \(name)")
        }
    }

    public let name: String
    private let edit: TextEdit

    /// - Parameters:
    ///   - block: what it is called in its markers.
    ///   - path: absolute; not that of a symbolic link.
    ///   - content: the lines.
    ///   - markers: nil for `# BEGIN drover NAME` and `# END drover NAME`.
    ///   - place: where a block is inserted that is not there yet.
    ///   - createsFile: whether a file that does not exist is made: root's, and readable by all unless it gets
    ///     secrets. It is an error otherwise.
    ///   - check: a command that is given the path of the new file as its last word, and fails when the text is wrong. The
    ///     old file then stays.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(
        _ block: String, in path: String, containing content: MaskedText, markers: Markers? = nil,
        at place: TextPlace = .end, createsFile: Bool = false, checkedBy check: ShellText? = nil
    ) throws {
        let markers = markers ?? Markers(block)
        name = "block \(block) in \(path)"
        edit = TextEdit(
            path: path, createsFile: createsFile, check: check, summary: "put the block \(block) into \(path)",
            edit: MarkedLines(markers: markers, content: content.lines, place: place).edited)
        try HostPath.check(path, of: name)
        try place.check(of: name)
        for marker in [markers.begin, markers.end] {
            try HostPath.checkLine(marker, of: name)
            if content.lines.contains(where: { $0.reveal() == marker }) {
                throw Diagnostic("\(name): a line of it is the marker '\(marker)'", remedy: "choose other markers")
            }
        }
        guard markers.begin != markers.end else {
            throw Diagnostic("\(name): both markers are '\(markers.begin)'", remedy: "write two different ones")
        }
    }

    public var questions: [any Fact] { edit.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try edit.changes(given: facts, after: pending)
    }
}
