import Diagnostics
public import Drover
public import Secrets

/// Ensures that a text file has a block of lines between two markers.
///
/// As Ansible's `blockinfile` does it: a block whose markers are there is replaced where it stands; otherwise it is
/// inserted with them. The rest of the file is left alone.
///
/// Several lines and blocks of one play may change the same file. None may change a file whose whole text a ``File`` says.
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

    private let block: String
    private let path: String
    private let content: MaskedText
    private let markers: Markers
    private let place: TextPlace
    private let createsFile: Bool
    private let check: String?

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
        at place: TextPlace = .end, createsFile: Bool = false, checkedBy check: String? = nil
    ) throws {
        self.block = block
        self.path = path
        self.content = content
        self.markers = markers ?? Markers(block)
        self.place = place
        self.createsFile = createsFile
        self.check = check
        try HostPath.check(path, of: name)
        try place.check(of: name)
        for marker in [self.markers.begin, self.markers.end] {
            try HostPath.checkLine(marker, of: name)
            if content.lines.contains(where: { $0.reveal() == marker }) {
                throw Diagnostic("\(name): a line of it is the marker '\(marker)'", remedy: "choose other markers")
            }
        }
        guard self.markers.begin != self.markers.end else {
            throw Diagnostic("\(name): both markers are '\(self.markers.begin)'", remedy: "write two different ones")
        }
    }

    public var name: String { "block \(block) in \(path)" }

    public var questions: [any Fact] { edit.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try edit.changes(given: facts, after: pending)
    }

    private var edit: TextEdit {
        TextEdit(
            path: path, createsFile: createsFile, check: check, summary: "put the block \(block) into \(path)",
            edit: edited)
    }

    private func edited(_ lines: [MaskedText]) throws -> [MaskedText] {
        var lines = lines
        let block = [MaskedText(markers.begin)] + content.lines + [MaskedText(markers.end)]
        let begins = lines.indices.filter { lines[$0].reveal() == markers.begin }
        let ends = lines.indices.filter { lines[$0].reveal() == markers.end }
        switch (begins.count, ends.count) {
        case (0, 0): lines.insert(contentsOf: block, at: try place.index(in: lines))
        case (1, 1) where begins[0] < ends[0]: lines.replaceSubrange(begins[0]...ends[0], with: block)
        default:
            throw Diagnostic(
                "the markers '\(markers.begin)' and '\(markers.end)' do not stand there once each and in this order",
                remedy: "take away those that are left over")
        }
        return lines
    }
}
