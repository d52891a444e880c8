public import Engine

/// What is mounted at a path. The shell itself reads; no program is started.
public struct MountedAt: Fact {
    /// A mounted file system.
    public struct Found: Hashable, Sendable {
        public var source: String
        public var type: String
        public var options: Set<String>

        public init(source: String, type: String, options: Set<String> = []) {
            self.source = source
            self.type = type
            self.options = options
        }
    }

    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// A path as the kernel and `fstab(5)` write it, where blanks separate fields.
    static func escaped(_ path: String) -> String {
        path.replacing("\\", with: #"\134"#).replacing(" ", with: #"\040"#).replacing("\t", with: #"\011"#)
            .replacing("\n", with: #"\012"#)
    }

    public static func script(for questions: [MountedAt]) -> ShellText {
        """
        while read -r source target type options _; do
            case \(quoting: " " + questions.map { escaped($0.path) }.joined(separator: " ") + " ") in
            *" $target "*) printf '%s %s %s %s\\n' "$target" "$source" "$type" "$options" ;;
            esac
        done </proc/mounts
        """
    }

    /// The answer is what was mounted last, or nil where nothing is.
    public static func answers(to questions: [MountedAt], from output: String) throws -> [MountedAt: Found?] {
        var found: [String: Found] = [:]
        for line in output.linesOfText {
            let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4 else { throw UnreadableAnswer(MountedAt.self, line) }
            found[fields[0]] = Found(
                source: fields[1], type: fields[2], options: Set(fields[3].split(separator: ",").map(String.init)))
        }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, found[escaped($0.path)]) })
    }
}
