import Engine
import Secrets

/// A change of some lines of a text file in which others write too, worked out here from the text that was observed.
///
/// Several of one play may change the same file: each starts from what the one before leaves.
struct TextEdit {
    let path: String
    /// Whether a file that does not exist is made.
    let createsFile: Bool
    /// A command that is given the path of the new file as its last word, and fails when the text is wrong.
    var check: ShellText?
    /// What is done, as an order.
    let summary: String
    /// Shell text that is run when the file is written.
    var afterwards: ShellText = ""
    /// Makes the wanted lines of those that are there.
    let edit: @Sendable ([MaskedText]) throws -> [MaskedText]

    var questions: [any Fact] { [FileStatus(path), PathEntry(path)] }

    /// - Throws: `Diagnostic` when an earlier resource of the play writes the file, and what it writes is all that the file
    ///   shall have or is not known yet.
    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let isPublic = try facts[FileStatus(path)]?.mode.isPublic ?? true
        do {
            let old = try SharedText(of: path, found: facts[PathEntry(path)], isPublic: isPublic, after: pending)
            let new = try edited(old.lines)
            let isSame = old.lines.map { $0.reveal() } == new.map { $0.reveal() }
            return isSame ? [] : [try change(of: old, to: MaskedText(lines: new), isPublic)]
        } catch let refusal as Uneditable {
            return [refusal.change]
        }
    }

    private func edited(_ lines: [MaskedText]) throws -> [MaskedText] {
        do { return try edit(lines) } catch { throw Uneditable(path: path, reason: "\(error)") }
    }

    private func change(of old: SharedText, to new: MaskedText, _ isPublic: Bool) throws -> Change {
        guard createsFile || old.text != nil else {
            throw Uneditable(
                path: path,
                reason: "it did not exist when this was planned; "
                    + "if a package makes it, edit it in a later play; if nothing does, say createsFile: true")
        }
        let quoted = ShellText.quoting(path)
        var script: ShellText = old.unchanged(at: quoted, as: "as_holder \(quoted)") + "\n"
        if RetiredSecret.mayBe(in: old.text?.reveal() ?? "", replacedBy: new, isPublic: isPublic) {
            script += "purge \(quoted)\n"
        }
        script += Replacement(path: path, content: new, access: .asBefore, check: check).script
        if !afterwards.isEmpty { script += "\n" + afterwards }
        var change = Change(
            summary, old.text == nil ? .create : .change,
            diff: FileDiff.between(old.text?.reveal() ?? "", and: new, isPublic: isPublic), script: script,
            effects: [.writes(path)])
        change.texts = [path: new]
        return change
    }
}
