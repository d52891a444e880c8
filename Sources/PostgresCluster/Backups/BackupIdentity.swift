public import Engine

/// By what a host is known to the others between which backups travel: the keys of its SSH server, and the public key of
/// the user who keeps the backups there.
public struct BackupIdentity: Fact {
    /// The public keys of a host.
    public struct Answer: Hashable, Sendable {
        /// Each as `ssh-ed25519 AAAA…`, without a comment.
        public var hostKeys: [String] = []
        /// The same of the user, or nil as long as no key was made.
        public var userKey: String?

        public init(hostKeys: [String] = [], userKey: String? = nil) {
            self.hostKeys = hostKeys
            self.userKey = userKey
        }
    }

    /// The private key; the public one has `.pub` behind that.
    static let keyFile = "/etc/pgbackrest/id_ed25519"

    public init() {}

    public static func script(for questions: [BackupIdentity]) -> ShellText {
        """
        for file in /etc/ssh/ssh_host_*_key.pub \(quoting: keyFile).pub; do
            [ -r "$file" ] || continue
            read -r kind key rest <"$file" || :
            case $file in /etc/ssh/*) echo "host $kind $key" ;; *) echo "user $kind $key" ;; esac
        done
        """
    }

    public static func answers(
        to questions: [BackupIdentity], from output: String
    ) throws -> [BackupIdentity: Answer] {
        var answer = Answer()
        for line in output.linesOfText {
            let words = line.split(separator: " ")
            guard words.count == 3 else { throw UnreadableAnswer(BackupIdentity.self, line) }
            let key = "\(words[1]) \(words[2])"
            if words[0] == "user" { answer.userKey = key } else { answer.hostKeys.append(key) }
        }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, answer) })
    }
}
