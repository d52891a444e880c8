import Crypto
import Diagnostics
import Engine
import Secrets

/// The text of a file in which others write too, as an edit finds it: as it was observed, or as an earlier change of the
/// same play leaves it.
struct SharedText {
    /// Nil where there is no file.
    let text: MaskedText?

    /// - Parameters:
    ///   - found: what was observed at `path`.
    ///   - isPublic: whether everybody on the host may read it; otherwise it is hidden from who reads the plan too.
    /// - Throws: ``Uneditable``; `Diagnostic` when an earlier resource of the play writes the file, and what it writes is
    ///   all that the file shall have or is not known yet.
    init(of path: String, found: PathEntry.Answer, isPublic: Bool, after pending: PendingEffects) throws {
        if let text = pending.text(of: path) {
            self.text = text
            return
        }
        if pending.contains(.writes(path)) {
            throw Diagnostic(
                "\(path) is written by an earlier resource of the same play, so no other can change a part of it",
                remedy:
                    "put the lines into the File's text, or into a later play when a command or an archive makes the file"
            )
        }
        switch found {
        case .absent: text = nil
        case .text(let observed): text = isPublic ? MaskedText(observed) : Self.hidden(observed)
        case .binary: throw Uneditable(path: path, reason: "its content is no text in UTF-8")
        case .link(let target):
            throw Uneditable(
                path: path,
                reason: "it is a symbolic link to \(target); edit what that leads to, or put a file in its place")
        case .other: throw Uneditable(path: path, reason: "it is no file")
        }
    }

    var lines: [MaskedText] { text?.lines ?? [] }

    /// Shell text that fails when somebody else has written the file in the meantime, so that it is not overwritten.
    ///
    /// - Parameter word: the path of the file, as a word of the shell.
    ///
    /// - Parameter rights: the beginning of a command that runs the rest with the rights of somebody.
    func unchanged(at word: ShellText, as rights: ShellText) -> ShellText {
        let test: ShellText =
            text.map { text in
                let digest = SHA256.hash(data: Array(text.reveal().utf8)).hexadecimal
                let reading: ShellText = #"\#(rights) sh -c 'sha256sum <"$1"' sh \#(word)"#
                return "[ ! -L \(word) ] && [ \"$(\(reading))\" = \(quoting: digest + "  -") ]"
            } ?? "[ ! -e \(word) ] && [ ! -L \(word) ]"
        return "\(test) || { echo \(word) \"has changed since it was looked at; run the same command again\"; exit 1; }"
    }

    private static func hidden(_ text: String) -> MaskedText {
        var masked = MaskedText()
        masked.append(Secret(text))
        return masked
    }
}
