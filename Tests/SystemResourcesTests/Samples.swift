import Engine
import Secrets
import Testing

@testable import SystemResources

extension Facts {
    /// What a text file that everybody may read has in it.
    mutating func record(lines: [String], in path: String) {
        record(.file(), to: FileStatus(path))
        record(.text(lines.map { $0 + "\n" }.joined()), to: PathEntry(path))
    }

    /// Facts from the shell text's output, as a host would print it.
    mutating func read<F: Fact>(_ output: String, for questions: [F]) throws {
        for (question, answer) in try F.answers(to: questions, from: output) { record(answer, to: question) }
    }
}

extension FileStatus.Attributes {
    static func file(
        _ mode: FileMode = 0o644, owner: String = "root", group: String = "root", modified: Int = 0
    ) -> FileStatus.Attributes {
        .init(kind: .file, mode: mode, owner: owner, group: group, modified: Timestamp(nanoseconds: modified))
    }

    static func directory(
        _ mode: FileMode = 0o755, owner: String = "root", group: String = "root"
    ) -> FileStatus.Attributes {
        .init(kind: .directory, mode: mode, owner: owner, group: group, modified: Timestamp(nanoseconds: 0))
    }

    static func other(_ word: String) -> FileStatus.Attributes {
        .init(
            kind: .other(word), mode: 0o777, owner: "root", group: "root", modified: Timestamp(nanoseconds: 0))
    }
}

/// The one change of a list.
func only(_ changes: [Change]) throws -> Change {
    try #require(changes.count == 1, "\(changes.map(\.summary))")
    return changes[0]
}
