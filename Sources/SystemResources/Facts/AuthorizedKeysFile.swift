public import Engine

/// The file of keys that may log in as a user, wherever the user's home is. One `tar` reads the files of all users, one
/// `stat` tells whose they are.
public struct AuthorizedKeysFile: Fact {
    /// The home of a user, and the keys in it.
    public struct Found: Hashable, Sendable {
        public var home: String
        /// What `~/.ssh` is, or nil when it is missing.
        public var directory: FileStatus.Attributes?
        /// What `~/.ssh/authorized_keys` is, or nil when it is missing.
        public var file: FileStatus.Attributes?
        public var content: PathEntry.Answer

        public init(
            home: String, directory: FileStatus.Attributes? = nil, file: FileStatus.Attributes? = nil,
            content: PathEntry.Answer = .absent
        ) {
            self.home = home
            self.directory = directory
            self.file = file
            self.content = content
        }
    }

    public let user: String

    public init(of user: String) {
        self.user = user
    }

    public static func script(for questions: [AuthorizedKeysFile]) -> ShellText {
        """
        set --
        while IFS=: read -r user _ _ _ _ home _; do
            case \(quoting: " " + questions.map(\.user).joined(separator: " ") + " ") in
            *" $user "*) ;;
            *) continue ;;
            esac
            printf '~%s %s\\n' "$user" "$home"
            set -- "$@" "$home/.ssh" "$home/.ssh/authorized_keys"
        done </etc/passwd
        [ $# = 0 ] || {
            \(FileStatus.script(for: "\"$@\""))
            printf =
            \(PathEntry.script(for: "\"$@\""))
        }
        """
    }

    /// The answer is nil when there is no such user.
    public static func answers(
        to questions: [AuthorizedKeysFile], from output: String
    ) throws -> [AuthorizedKeysFile: Found?] {
        var homes: [(user: String, path: String)] = []
        var statusLines = ""
        var archive = ""
        for line in output.linesOfText {
            if line.hasPrefix("~"), let blank = line.firstIndex(of: " ") {
                let user = line[line.index(after: line.startIndex)..<blank]
                homes.append((String(user), String(line[line.index(after: blank)...])))
            } else if line.hasPrefix("=") {
                archive = String(line.dropFirst())
            } else {
                statusLines += line + "\n"
            }
        }
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Found?.none) })
        if homes.isEmpty { return answers }
        let files = Set(homes.map { "\($0.path)/.ssh/authorized_keys" })
        let directories = Set(homes.map { "\($0.path)/.ssh" })
        let status = try FileStatus.answers(to: files.union(directories).map(FileStatus.init), from: statusLines)
        let contents = try PathEntry.answers(to: files.map(PathEntry.init), from: archive)
        for home in homes {
            let file = "\(home.path)/.ssh/authorized_keys"
            let answer = Found(
                home: home.path, directory: status[FileStatus("\(home.path)/.ssh")] ?? nil,
                file: status[FileStatus(file)] ?? nil, content: contents[PathEntry(file)] ?? .absent)
            answers.updateValue(answer, forKey: AuthorizedKeysFile(of: home.user))
        }
        return answers
    }
}
