public import Drover

/// The live value of a kernel parameter, and whether this host may set it: a container often may not.
public struct SysctlValue: Fact {
    public struct Answer: Hashable, Sendable {
        /// The value, its fields separated by single spaces; nil when the kernel has no such parameter.
        public var value: String?
        public var isWritable: Bool

        public init(value: String?, isWritable: Bool) {
            self.value = value
            self.isWritable = isWritable
        }
    }

    /// The name with dots: `net.ipv4.ip_nonlocal_bind`.
    public let parameter: String

    public init(_ parameter: String) {
        self.parameter = parameter
    }

    var path: String { "/proc/sys/" + parameter.split(separator: ".").joined(separator: "/") }

    /// One `grep` reads all values. The shell's own `read` takes one byte at a time, and the kernel gives a number only
    /// to who reads it at once.
    public static func script(for questions: [SysctlValue]) -> String {
        let paths = Shell.words(questions.map(\.path))
        return """
            for path in \(paths); do
                if [ ! -e "$path" ]; then echo absent; elif [ -w "$path" ]; then echo yes; else echo no; fi
            done
            grep --no-messages --with-filename '' \(paths)
            """
    }

    public static func answers(to questions: [SysctlValue], from output: String) throws -> [SysctlValue: Answer] {
        let lines = output.linesOfText
        guard lines.count >= questions.count else { throw UnreadableAnswer(SysctlValue.self, output) }
        let values = Dictionary(
            lines.dropFirst(questions.count).map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let fields = parts.dropFirst().joined().split(whereSeparator: { $0 == " " || $0 == "\t" })
                return (String(parts[0]), fields.joined(separator: " "))
            }, uniquingKeysWith: { first, _ in first })
        return try Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, word in
                switch word {
                case "absent": (question, Answer(value: nil, isWritable: false))
                case "yes", "no": (question, Answer(value: values[question.path] ?? "", isWritable: word == "yes"))
                default: throw UnreadableAnswer(SysctlValue.self, word)
                }
            })
    }
}
