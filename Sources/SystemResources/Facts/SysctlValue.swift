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

    /// The shell reads the files itself; no program is started.
    public static func script(for questions: [SysctlValue]) -> String {
        """
        sysctl_value() {
            writable=no; value=
            if [ -e "$1" ]; then
                [ ! -w "$1" ] || writable=yes
                read -r value <"$1"
                printf '%s %s\\n' "$writable" "$value"
            else
                echo absent
            fi
        }
        \(questions.map { "sysctl_value \(Shell.quote($0.path))" }.joined(separator: "\n"))
        """
    }

    public static func answers(to questions: [SysctlValue], from output: String) throws -> [SysctlValue: Answer] {
        let lines = output.linesOfText
        guard lines.count == questions.count else { throw UnreadableAnswer(SysctlValue.self, output) }
        return Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, line in
                let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                if words == ["absent"] { return (question, Answer(value: nil, isWritable: false)) }
                return (
                    question,
                    Answer(value: words.dropFirst().joined(separator: " "), isWritable: words.first == "yes")
                )
            })
    }
}
