import Diagnostics
import FoundationEssentials
import Glibc

/// The line of a file that an error is about, with a caret under the place.
///
/// Inventories hold passwords. A line that may name one is not shown, nor is one below such a name, and of a line that is
/// shown the value is left out when the error is about its key.
struct SourceExcerpt {
    private let number: Int
    private let column: Int
    private let text: String

    private static let sizeLimit = 1_000_000

    /// Nil when the place is in no plain text file, or nothing may be shown of it.
    init?(at location: SourceLocation) {
        var status = stat()
        // The output of a program has places too, which are not in the text of the program. What a pipe held was read already,
        // and to open one again may take for ever.
        guard stat(location.file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o111 == 0,
            status.st_size < Self.sizeLimit, let data = FileManager.default.contents(atPath: location.file)
        else { return nil }
        self.init(of: String(decoding: data, as: UTF8.self), at: location)
    }

    /// - Parameter text: of the whole file.
    init?(of text: String, at location: SourceLocation) {
        // What a vault holds has places of its own.
        guard !text.hasPrefix("$ANSIBLE_VAULT") else { return nil }
        let lines = text.split(separator: "\n", maxSplits: location.line, omittingEmptySubsequences: false)
        guard location.line >= 1, location.line <= lines.count else { return nil }
        let index = location.line - 1
        guard Self.context(of: index, in: lines).allSatisfy({ !Self.mayNameSecret($0) }) else { return nil }
        let line = lines[index].replacing("\t", with: " ")
        guard location.column >= 1, location.column <= line.count + 1 else { return nil }
        number = location.line
        column = location.column
        let start = line.index(line.startIndex, offsetBy: column - 1)
        if let key = line[start...].prefixMatch(of: /["']?[A-Za-z_][A-Za-z0-9_.-]*["']?[ ]*[:=]/),
            key.endIndex < line.endIndex
        {
            self.text = line[..<key.endIndex] + " …"
        } else {
            self.text = String(line)
        }
    }

    /// The line, the one before it, and those in whose block it stands.
    private static func context(of index: Int, in lines: [Substring]) -> [Substring] {
        func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        var context = [lines[index]]
        var depth = indent(lines[index])
        for (distance, line) in lines[..<index].reversed().enumerated() where !line.allSatisfy(\.isWhitespace) {
            if distance == 0 || indent(line) < depth { context.append(line) }
            depth = min(depth, indent(line))
        }
        return context
    }

    /// Whether a word of the line is, or is nearly, what secrets are called.
    static func mayNameSecret(_ line: some StringProtocol) -> Bool {
        let words = line.lowercased().split { !$0.isLetter }
        return words.contains { word in
            secretWords.contains { word.contains($0) }
                || Suggestion.nearest(to: String(word), among: ["password", "secret", "token", "passphrase"]) != nil
        }
    }

    private static let secretWords = ["pass", "pwd", "secret", "token", "credential", "private", "cipher", "key"]

    func lines(style: Style, width: Int?) -> [String] {
        let gutter = String(repeating: " ", count: "\(number)".count)
        let room = width.map { max(20, $0 - gutter.count - 4) }
        // Of a long line the part around the place is shown.
        let skipped = room.map { max(0, column - $0 * 2 / 3) } ?? 0
        let shown = Text.printable(String(text.dropFirst(skipped)))
        let before = Text.printable(String(text.prefix(column - 1).dropFirst(skipped)))
        let blanks = String(repeating: " ", count: DisplayWidth.of(before))
        return [
            style.faint(" \(number) | ") + (room.map { Text.cut(shown, $0) } ?? shown),
            style.faint(" \(gutter) | ") + blanks + style.red("^"),
        ]
    }
}
