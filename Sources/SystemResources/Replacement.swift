import Drover
import Secrets

/// The one way to write a file: the new content takes the place of the old one as a whole.
///
/// It is complete, checked and on the disk before it does, so that neither a crash nor a wrong content ever leaves half a
/// file. Nobody but root can read it before it has its owner and mode. Its time is that of the moment in which it takes
/// its place: whatever was started before has read the old one. What a killed run has left is taken away; the lock
/// keeps others out.
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
        case output(of: String)
    }

    private let path: String
    private let source: Source
    private let access: Access
    private let check: String?

    /// - Parameter check: a command that is given the path of the new file as its last word, and fails when the content is
    ///   wrong.
    init(path: String, content: MaskedText, access: Access, check: String? = nil) {
        self.path = path
        self.source = .text(content)
        self.access = access
        self.check = check
    }

    /// - Parameter command: the shell command whose output becomes the content. When it fails, the old file stays.
    init(path: String, outputOf command: String, access: Access, check: String? = nil) {
        self.path = path
        self.source = .output(of: command)
        self.access = access
        self.check = check
    }

    var script: MaskedText {
        var script = MaskedText(prologue)
        switch source {
        case .output(let command): script.append("\(command) >\"$new\"\n")
        case .text(let content):
            script.append("base64 -d >\"$new\" ")
            script.append(content.hereDocument)
        }
        script.append(epilogue)
        return script
    }

    private var prologue: String {
        """
        [ ! -d \(Shell.quote(path)) ] || { echo "a directory stands at" \(Shell.quote(path)); exit 1; }
        rm -f -- \(Shell.quote(path + ".drover."))??????
        new=$(mktemp \(Shell.quote(path + ".drover.XXXXXX")))
        trap 'rm -f "$new"' EXIT
        trap 'exit 143' HUP INT TERM

        """
    }

    private var epilogue: String {
        """
        \(owning)
        \(check.map { "\($0) \"$new\"" } ?? ":")
        sync "$new"
        keep \(Shell.quote(path))
        touch "$new"
        mv -fT -- "$new" \(Shell.quote(path))
        trap - EXIT
        sync \(Shell.quote(parent))
        """
    }

    private var owning: String {
        switch access {
        case .exactly(let ownership):
            return """
                chown \(Shell.quote("\(ownership.owner):\(ownership.group)")) "$new"
                chmod \(ownership.mode) "$new"
                """
        case .asBefore:
            let old = Shell.quote(path)
            return """
                if [ -e \(old) ]; then chown --reference=\(old) "$new"; chmod --reference=\(old) "$new"
                else chmod \(holdsSecrets ? "0600" : "0644") "$new"; fi
                """
        }
    }

    private var holdsSecrets: Bool {
        if case .text(let content) = source { content.hasSecrets } else { false }
    }

    private var parent: String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
