import Engine
import Secrets

/// Ensures that what stood at a path before a run stands there again.
///
/// The content comes from where the run has kept it on the host, so that a secret in it is sent nowhere.
struct KeptFile: Resource {
    let kept: Journal.Kept
    /// The run that has replaced it.
    let run: RunIdentity

    var name: String { "file \(kept.path)" }

    var questions: [any Fact] {
        var questions: [any Fact] = [FileStatus(kept.path)]
        switch kept.state {
        case .file(let digest, _, _, _): questions.append(FileContent(kept.path, digest: digest))
        case .link: questions.append(PathEntry(kept.path))
        case .absent, .secret, .other: break
        }
        return questions
    }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let status = try facts[FileStatus(kept.path)]
        let path = ShellText.quoting(kept.path)
        let parent = ShellText.quoting("/" + kept.path.split(separator: "/").dropLast().joined(separator: "/"))
        switch kept.state {
        case .absent:
            guard status != nil else { return [] }
            return [
                change(
                    "remove \(kept.path)",
                    "keep \(path)\nas_holder \(path) rm -f -- \(path)\nas_holder \(path) sync \(parent)", as: .remove)
            ]
        case .link(let target):
            if try facts[PathEntry(kept.path)] == .link(target) { return [] }
            let script: ShellText = "keep \(path)\nas_holder \(path) ln -sfnT -- \(quoting: target) \(path)"
            return [change("link \(kept.path) to \(target)", script)]
        case .file(let digest, let mode, let owner, let group):
            guard let mode = FileMode(octal: mode) else { return [] }
            let isSame =
                try facts[FileContent(kept.path, digest: digest)] == .asExpected && status?.kind == .file
                && status?.mode == mode && status?.owner == owner && status?.group == group
            if isSame { return [] }
            let ownership = Ownership(owner: owner, group: group, mode: mode)
            return [
                change(
                    "bring back \(kept.path)", copying(digest, ownership),
                    as: status == nil ? .create : .change, ownership: ownership.description)
            ]
        case .secret, .other: return []
        }
    }

    func notices(given facts: Facts) throws -> [String] {
        switch kept.state {
        case .other: ["\(kept.path) was neither a file nor a link before; it cannot be brought back"]
        case .secret:
            ["\(kept.path) stays as it is: its earlier content had a secret that was replaced, and is deleted"]
        case .absent, .file, .link: []
        }
    }

    private func change(
        _ summary: String, _ script: ShellText, as kind: Change.Kind = .change, ownership: String? = nil
    ) -> Change {
        Change(summary, kind, ownership: ownership, script: script, effects: [.writes(kept.path)])
    }

    private func copying(_ digest: String, _ ownership: Ownership) -> ShellText {
        let source = "\(JournalScript.runs)/\(run.id)/kept/\(digest)"
        return Replacement(path: kept.path, copyOf: source, access: .exactly(ownership)).script
    }
}
