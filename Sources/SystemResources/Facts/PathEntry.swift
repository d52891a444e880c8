public import Engine
import FoundationEssentials

/// What stands at a path, with all that is in it: for resources that change only a part of it, and for links.
///
/// One `tar` reads all of them, so that their number costs no further programs.
public struct PathEntry: Fact {
    /// The entry at a path.
    public enum Answer: Hashable, Sendable {
        case absent
        /// A file whose content is a text in UTF-8.
        case text(String)
        /// A file whose content is something else.
        case binary
        /// A symbolic link, and where it leads as it is written in it.
        case link(String)
        /// A directory or a device.
        case other
    }

    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    public static func script(for questions: [PathEntry]) -> ShellText {
        script(for: ShellText.words(questions.map(\.path)))
    }

    /// - Parameter paths: words of the shell.
    static func script(for paths: ShellText) -> ShellText {
        "tar --create --file=- --format=gnu --absolute-names --no-recursion --hard-dereference --ignore-failed-read -- "
            + "\(paths) 2>/dev/null | base64 -w 0"
    }

    public static func answers(to questions: [PathEntry], from output: String) throws -> [PathEntry: Answer] {
        guard let data = Data(base64Encoded: output), let entries = TarReader.entries(of: Array(data)) else {
            throw UnreadableAnswer(PathEntry.self, output)
        }
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Answer.absent) })
        for entry in entries {
            // tar writes a slash after the name of a directory.
            answers[PathEntry(entry.kind == UInt8(ascii: "5") ? String(entry.name.dropLast()) : entry.name)] =
                answer(entry)
        }
        return answers
    }

    private static func answer(_ entry: TarReader.Entry) -> Answer {
        switch entry.kind {
        case UInt8(ascii: "0"):
            guard !entry.content.contains(0), let text = String(validating: entry.content, as: UTF8.self) else {
                return .binary
            }
            return .text(text)
        case UInt8(ascii: "2"): return .link(entry.target)
        default: return .other
        }
    }
}
