import Engine
import Secrets

/// The one way to write a file: the new content takes the place of the old one as a whole.
///
/// It is complete, checked and on the disk before it does, so that neither a crash nor a wrong content ever leaves half a
/// file. Nobody but root can read it before it has its owner and mode. Its time is that of the moment in which it takes
/// its place: whatever was started before has read the old one. What a killed run has left is taken away; the lock
/// keeps others out. In a directory of another user that user writes it (`PathRights`), so it can belong to nobody else.
struct Replacement {
    /// Whose the new file is.
    enum Access {
        case exactly(Ownership)
        /// As that of the file that it replaces. Where there is none, it is root's, and readable by all unless it has
        /// secrets.
        case asBefore
    }

    /// Where the new content comes from.
    private enum Source {
        case text(MaskedText)
        case file(String)
        case output(of: ShellText)
    }

    private let path: String
    private let source: Source
    private let access: Access
    private let check: ShellText?

    /// - Parameter check: a command that is given the path of the new file as its last word, and fails when the content is
    ///   wrong.
    init(path: String, content: MaskedText, access: Access, check: ShellText? = nil) {
        self.path = path
        self.source = .text(content)
        self.access = access
        self.check = check
    }

    /// - Parameter file: the file of root whose content it gets.
    init(path: String, copyOf file: String, access: Access, check: ShellText? = nil) {
        self.path = path
        self.source = .file(file)
        self.access = access
        self.check = check
    }

    /// - Parameter command: the shell command whose output, a text, becomes the content. When it fails, the old file stays.
    init(path: String, outputOf command: ShellText, access: Access, check: ShellText? = nil) {
        self.path = path
        self.source = .output(of: command)
        self.access = access
        self.check = check
    }

    var script: ShellText {
        switch source {
        case .text(let content):
            "\(order(reading: "base64 -d")) \(base64: content)\n"
        case .file(let file): "\(order(reading: "cat")) <\(quoting: file)"
        case .output(let command):
            "output=$(\(command))\n\(order(reading: "cat")) <<END_OF_OUTPUT\n$output\nEND_OF_OUTPUT\n"
        }
    }

    private func order(reading reader: String) -> ShellText {
        let (owner, mode) =
            switch access {
            case .exactly(let ownership): ("\(ownership.owner):\(ownership.group)", "\(ownership.mode)")
            case .asBefore: ("", holdsSecrets ? "0600" : "0644")
            }
        return "write_file \(words: [path, owner, mode, reader]) \(quoting: check ?? "")"
    }

    private var holdsSecrets: Bool {
        if case .text(let content) = source { content.hasSecrets } else { false }
    }
}
