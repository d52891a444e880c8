public import Engine

/// What stands at a path: its kind, mode, owner and age; nothing about its content.
public struct FileStatus: Fact {
    /// What `stat` tells of something that exists. A symbolic link is not followed.
    public struct Attributes: Hashable, Sendable {
        /// The kind of a file system entry.
        public enum Kind: Hashable, Sendable {
            case file
            case directory
            /// Anything else, in the words of `stat`: `symbolic link`, `socket`.
            case other(String)
        }

        public var kind: Kind
        public var mode: FileMode
        public var owner: String
        public var group: String
        /// When the content was last written.
        public var modified: Timestamp

        public init(kind: Kind, mode: FileMode, owner: String, group: String, modified: Timestamp) {
            self.kind = kind
            self.mode = mode
            self.owner = owner
            self.group = group
            self.modified = modified
        }
    }

    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    public static func script(for questions: [FileStatus]) -> ShellText {
        script(for: ShellText.words(questions.map(\.path)))
    }

    /// - Parameter paths: words of the shell.
    static func script(for paths: ShellText) -> ShellText {
        "stat --printf '%F|%a|%U|%G|%.9Y|%n\\n' -- \(paths) 2>/dev/null"
    }

    /// The answer is nil where nothing stands at the path.
    public static func answers(to questions: [FileStatus], from output: String) throws -> [FileStatus: Attributes?] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Attributes?.none) })
        for line in output.linesOfText {
            let fields = line.split(separator: "|", maxSplits: 5, omittingEmptySubsequences: false)
            guard fields.count == 6, let mode = FileMode(octal: fields[1]), let modified = Timestamp(seconds: fields[4])
            else { throw UnreadableAnswer(FileStatus.self, line) }
            let attributes = Attributes(
                kind: kind(fields[0]), mode: mode, owner: String(fields[2]), group: String(fields[3]),
                modified: modified)
            answers.updateValue(attributes, forKey: FileStatus(String(fields[5])))
        }
        return answers
    }

    /// A directory is written whenever something is made or removed in it, which is no change of itself.
    public static func essence(of answer: Attributes?) -> String {
        guard let answer else { return "absent" }
        let time = answer.kind == .directory ? "" : " \(answer.modified.nanoseconds)"
        return "\(answer.kind) \(answer.mode) \(answer.owner) \(answer.group)\(time)"
    }

    private static func kind(_ word: Substring) -> Attributes.Kind {
        switch word {
        case "regular file", "regular empty file": .file
        case "directory": .directory
        default: .other(String(word))
        }
    }
}
