public import Engine
public import Secrets

/// A user of the host itself, as `/etc/passwd`, `/etc/shadow` and `/etc/group` tell it. One `awk` reads them.
public struct UserEntry: Fact {
    /// The properties of a user.
    public struct Entry: Hashable, Sendable {
        public var uid: Int
        /// The name of the primary group, or its number when it has no name.
        public var group: String
        /// The names of the further groups.
        public var groups: Set<String>
        /// What `/etc/shadow` has for a password: a hash, or something that no password matches.
        public var password: Secret
        public var comment: String
        public var home: String
        public var shell: String

        public init(
            uid: Int, group: String, groups: Set<String> = [], password: Secret = Secret("!"), comment: String = "",
            home: String, shell: String
        ) {
            self.uid = uid
            self.group = group
            self.groups = groups
            self.password = password
            self.comment = comment
            self.home = home
            self.shell = shell
        }
    }

    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public static func script(for questions: [UserEntry]) -> ShellText {
        #"""
        if [ -r /etc/shadow ]; then set -- /etc/group /etc/shadow /etc/passwd; else set -- /etc/group /etc/passwd; fi
        users=\#(quoting: questions.map(\.name).joined(separator: " ")) awk -F: '
            BEGIN { n = split(ENVIRON["users"], names, " "); for (i = 1; i <= n; i++) wanted[names[i]] = 1 }
            FILENAME == "/etc/group" {
                if (!($3 in group)) group[$3] = $1
                n = split($4, members, ",")
                for (i = 1; i <= n; i++) if (members[i] in wanted) further[members[i]] = further[members[i]] " " $1
                next
            }
            !($1 in wanted) { next }
            FILENAME == "/etc/shadow" { password[$1] = $2; next }
            {
                primary = ($4 in group) ? group[$4] : $4
                print $1 ":" $3 ":" primary ":" further[$1] ":" password[$1] ":" $5 ":" $6 ":" $7
            }' "$@"
        """#
    }

    /// The answer is nil when there is no such user.
    public static func answers(to questions: [UserEntry], from output: String) throws -> [UserEntry: Entry?] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Entry?.none) })
        for line in output.linesOfText {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            // Not the line itself, which may have a hash in it.
            guard fields.count == 8, let uid = Int(fields[1]) else { throw UnreadableAnswer(UserEntry.self, fields[0]) }
            let entry = Entry(
                uid: uid, group: fields[2], groups: Set(fields[3].split(separator: " ").map(String.init)),
                password: Secret(fields[4]), comment: fields[5], home: fields[6], shell: fields[7])
            answers.updateValue(entry, forKey: UserEntry(fields[0]))
        }
        return answers
    }
}
