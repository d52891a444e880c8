public import Drover

/// The file of keys that may log in as a user, wherever the user's home is. The shell reads the files of all users, one
/// `stat` tells whose they are.
public struct AuthorizedKeysFile: Fact {
    public struct Found: Hashable, Sendable {
        public var home: String
        /// What `~/.ssh` is, or nil when it is missing.
        public var directory: FileStatus.Attributes?
        /// What `~/.ssh/authorized_keys` is, or nil when it is missing.
        public var file: FileStatus.Attributes?
        public var lines: [String]

        public init(
            home: String, directory: FileStatus.Attributes? = nil, file: FileStatus.Attributes? = nil,
            lines: [String] = []
        ) {
            self.home = home
            self.directory = directory
            self.file = file
            self.lines = lines
        }
    }

    public let user: String

    public init(of user: String) {
        self.user = user
    }

    public static func script(for questions: [AuthorizedKeysFile]) -> String {
        """
        set --
        while IFS=: read -r user _ _ _ _ home _; do
            case \(Shell.quote(" " + questions.map(\.user).joined(separator: " ") + " ")) in
            *" $user "*) ;;
            *) continue ;;
            esac
            printf '~%s %s\\n' "$user" "$home"
            set -- "$@" "$home/.ssh" "$home/.ssh/authorized_keys"
            [ -f "$home/.ssh/authorized_keys" ] || continue
            while IFS= read -r line || [ -n "$line" ]; do printf '=%s\\n' "$line"; done <"$home/.ssh/authorized_keys"
        done </etc/passwd
        [ $# = 0 ] || stat --printf '%F|%a|%U|%G|%.9Y|%n\\n' -- "$@" 2>/dev/null
        """
    }

    /// The answer is nil when there is no such user.
    public static func answers(
        to questions: [AuthorizedKeysFile], from output: String
    ) throws -> [AuthorizedKeysFile: Found?] {
        var found: [(user: String, home: String, lines: [String])] = []
        var statusLines = ""
        for line in output.linesOfText {
            if line.hasPrefix("~"), let blank = line.firstIndex(of: " ") {
                let user = line[line.index(after: line.startIndex)..<blank]
                found.append((String(user), String(line[line.index(after: blank)...]), []))
            } else if line.hasPrefix("="), !found.isEmpty {
                found[found.count - 1].lines.append(String(line.dropFirst()))
            } else {
                statusLines += line + "\n"
            }
        }
        let paths = found.flatMap { ["\($0.home)/.ssh", "\($0.home)/.ssh/authorized_keys"] }
        let status = try FileStatus.answers(to: Set(paths).map(FileStatus.init), from: statusLines)
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Found?.none) })
        for (user, home, lines) in found {
            let answer = Found(
                home: home, directory: status[FileStatus("\(home)/.ssh")] ?? nil,
                file: status[FileStatus("\(home)/.ssh/authorized_keys")] ?? nil, lines: lines)
            answers.updateValue(answer, forKey: AuthorizedKeysFile(of: user))
        }
        return answers
    }
}
