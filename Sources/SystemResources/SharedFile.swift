import Drover

/// A file in which others have lines of their own: programs, people, other resources of the same play.
///
/// The plan is made from what the file was when it was looked at; the edit is made of what it is in the moment in which it
/// is changed. So two resources that were decided by the same look at the file do not undo each other's work.
struct SharedFile {
    let path: String

    var lines: FileLines { FileLines(path) }

    /// - Parameter summary: says what is done to the file.
    /// - Returns: the change that the edit makes, or nil when it makes none.
    func change(_ summary: String, by edit: some FileEdit, given facts: Facts) throws -> Change? {
        let old = try facts[lines]
        let new = edit.edited(old)
        guard new != old else { return nil }
        return Change(
            summary, diff: UnifiedDiff(from: old, to: new), script: replacement(by: edit).script,
            effects: [.writes(path)])
    }

    func replacement(by edit: some FileEdit) -> Replacement {
        Replacement(path: path, outputOf: edit.command(on: path), access: .asBefore)
    }
}

/// A change of some lines among others. It is told twice, and both must say the same: for the plan, and for the host.
protocol FileEdit {
    /// The lines as they shall be.
    func edited(_ lines: [String]) -> [String]

    /// The shell command that prints a file as it shall be. The file need not exist.
    func command(on path: String) -> String
}

extension FileEdit {
    /// - Parameters:
    ///   - program: an awk program whose first file is the list, and the second one what is edited.
    ///   - list: not empty; no line breaks are in it.
    func awk(_ program: String, list: [String], on path: String) -> String {
        let file = Shell.quote(path)
        return "printf '%s\\n' \(Shell.words(list)) | awk \(Shell.quote(program)) - "
            + "\"$(if [ -e \(file) ]; then echo \(file); else echo /dev/null; fi)\""
    }
}
