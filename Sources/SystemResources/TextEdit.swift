import Crypto
import Diagnostics
import Drover
import Secrets

/// A change of some lines of a text file, worked out here from the text that was observed: what ``Line`` and ``Block``
/// have in common.
struct TextEdit {
    let path: String
    /// Whether a file that does not exist is made.
    let createsFile: Bool
    /// A command that is given the path of the new file as its last word, and fails when the text is wrong.
    let check: String?
    /// What is done, as an order.
    let summary: String
    /// Makes the wanted lines of those that are there.
    let edit: ([MaskedText]) throws -> [MaskedText]

    private var status: FileStatus { FileStatus(path) }
    private var entry: PathEntry { PathEntry(path) }

    var questions: [any Fact] { [status, entry] }

    /// - Throws: `Diagnostic` when an earlier resource of the play writes the file, and what it writes is all that the file
    ///   shall have or is not known yet.
    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let isPublic = (try facts[status]?.mode.bits ?? 0o644) & 0o004 != 0
        if let text = pending.text(of: path) { return changes(of: text, isPublic) }
        if pending.contains(.writes(path)) {
            throw Diagnostic(
                "\(path) is written by an earlier resource of the same play, so no other can change a part of it",
                remedy:
                    "put the lines into the File's text, or into a later play when a command or an archive makes the file"
            )
        }
        switch try facts[entry] {
        case .absent where createsFile: return changes(of: nil, isPublic)
        case .absent:
            return [
                refusal(
                    "it did not exist when this was planned; "
                        + "if a package makes it, edit it in a later play; if nothing does, say createsFile: true")
            ]
        case .text(let text): return changes(of: isPublic ? MaskedText(text) : hidden(text), isPublic)
        case .binary: return [refusal("its content is no text in UTF-8")]
        case .link(let target): return [refusal("it is a symbolic link to \(target); name what that leads to")]
        case .other: return [refusal("it is no file")]
        }
    }

    /// - Parameter old: nil for a file that does not exist.
    private func changes(of old: MaskedText?, _ isPublic: Bool) -> [Change] {
        let before = old?.lines ?? []
        let after: [MaskedText]
        do { after = try edit(before) } catch { return [refusal("\(error)")] }
        if old != nil, before.map({ $0.reveal() }) == after.map({ $0.reveal() }) { return [] }
        let text = MaskedText(lines: after)
        var script = MaskedText(unchanged(since: old) + "\n")
        script.append(Replacement(path: path, content: text, access: .asBefore, check: check).script)
        var change = Change(
            summary, diff: FileDiff.between(old?.reveal() ?? "", and: text, isPublic: isPublic), script: script,
            effects: [.writes(path)])
        change.texts = [path: text]
        return [change]
    }

    /// What somebody else has written in the meantime is not overwritten.
    private func unchanged(since old: MaskedText?) -> String {
        let quoted = Shell.quote(path)
        let test =
            old.map { text in
                let digest = SHA256.hash(data: Array(text.reveal().utf8)).hexadecimal
                return "[ ! -L \(quoted) ] && [ \"$(sha256sum <\(quoted))\" = '\(digest)  -' ]"
            } ?? "[ ! -e \(quoted) ] && [ ! -L \(quoted) ]"
        return
            "\(test) || { echo \(quoted) \"has changed since it was looked at; run the same command again\"; exit 1; }"
    }

    /// The plan says that it cannot be done, and so does the run, which then stops before what builds upon it.
    private func refusal(_ reason: String) -> Change {
        let sentence = "cannot edit \(path): \(reason)"
        return Change(sentence, script: MaskedText("echo \(Shell.quote(sentence))\nexit 1"))
    }

    /// What not everybody on the host may read is hidden from who reads the plan too.
    private func hidden(_ text: String) -> MaskedText {
        var masked = MaskedText()
        masked.append(Secret(text))
        return masked
    }
}
