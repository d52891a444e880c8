import Drover
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
        case .absent, .other: break
        }
        return questions
    }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let status = try facts[FileStatus(kept.path)]
        let path = Shell.quote(kept.path)
        switch kept.state {
        case .absent:
            guard status != nil else { return [] }
            return [change("remove \(kept.path)", "keep \(path)\nrm -f -- \(path)\nsync \(parent)")]
        case .link(let target):
            if try facts[PathEntry(kept.path)] == .link(target) { return [] }
            return [
                change("link \(kept.path) to \(target)", "keep \(path)\nln -sfnT -- \(Shell.quote(target)) \(path)")
            ]
        case .file(let digest, let mode, let owner, let group):
            let isSame =
                try facts[FileContent(kept.path, digest: digest)] == .asExpected && status?.kind == .file
                && status?.mode == FileMode(octal: mode) && status?.owner == owner && status?.group == group
            if isSame { return [] }
            return [change("bring back \(kept.path)", copying(digest, mode: mode, owner: owner, group: group))]
        case .other: return []
        }
    }

    func notices(given facts: Facts) throws -> [String] {
        kept.state == .other ? ["\(kept.path) was neither a file nor a link before; it cannot be brought back"] : []
    }

    private func change(_ summary: String, _ script: String) -> Change {
        Change(summary, script: MaskedText(script), effects: [.writes(kept.path)])
    }

    private func copying(_ digest: String, mode: String, owner: String, group: String) -> String {
        let path = Shell.quote(kept.path)
        let source = Shell.quote("\(JournalScript.runs)/\(run.id)/kept/\(digest)")
        return """
            new=$(mktemp \(Shell.quote(kept.path + ".drover.XXXXXX")))
            trap 'rm -f "$new"' EXIT
            trap 'exit 143' HUP INT TERM
            cp -- \(source) "$new"
            chown \(Shell.quote("\(owner):\(group)")) "$new"
            chmod 0\(mode) "$new"
            sync "$new"
            keep \(path)
            touch "$new"
            mv -fT -- "$new" \(path)
            trap - EXIT
            sync \(parent)
            """
    }

    private var parent: String {
        Shell.quote("/" + kept.path.split(separator: "/").dropLast().joined(separator: "/"))
    }
}
