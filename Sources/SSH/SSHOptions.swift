import FoundationEssentials
public import Secrets

/// How to connect and log in.
public struct SSHOptions: Sendable {
    /// The private key files to try, in this order. By default those of the user's `~/.ssh/id_ed25519`, `id_ecdsa`
    /// and `id_rsa` that exist.
    public var keyFiles: [String] = Self.userKeyFiles()
    /// The Unix sockets of the ssh-agents whose keys to try. By default that of `SSH_AUTH_SOCK`, if it is set.
    public var agentSockets: [String] = Self.userAgentSockets
    /// Whether to use, of the keys of the agents, only those that stand in ``keyFiles``, too.
    public var usesOnlyNamedKeys = false
    /// The password to log in with when no key opens the door.
    public var password: Secret?
    /// The files that say which hosts to trust. A file that does not exist counts as empty.
    public var knownHostsFiles: [String] = ["~/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts"]
    /// The file of keys that are never accepted (`RevokedHostKeys`), or nil for none.
    public var revokedKeysFile: String?
    /// Whether hosts that no known hosts file names are trusted at their first visit: their keys are added to the first of
    /// the files, and this is told what was added. A changed key is refused all the same.
    public var onNewHostKey: (@Sendable (String) -> Void)?
    /// How long reaching the host, the key exchange and the login may take together. The opening of a
    /// shell may take three times as long: a busy host has let us in by then, and runs slow profiles.
    public var connectTimeout: Duration = .seconds(10)
    /// How long to come again to a host that turns connections away before the key exchange, as sshd does when too many
    /// come at once (`MaxStartups`).
    public var turnedAwayPatience: Duration = .seconds(30)
    /// How often the host is asked for a sign of life, at least 2 s. A host that has been silent for three times as
    /// long is lost, within a minute, and it ends what it runs for a controller that has been silent for as long.
    public var keepaliveInterval: Duration = .seconds(12)

    public init() {}

    /// The time without a sign of life after which either side gives the other up.
    var silenceLimit: Duration { keepaliveInterval * 3 }

    /// `path` with a leading `~/` replaced by the home directory.
    static func expandingHome(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return path }
        return home + path.dropFirst()
    }

    private static var userAgentSockets: [String] {
        ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"].flatMap { $0.isEmpty ? nil : [$0] } ?? []
    }

    private static func userKeyFiles() -> [String] {
        ["id_ed25519", "id_ecdsa", "id_rsa"].map { "~/.ssh/\($0)" }
            .filter { FileManager.default.fileExists(atPath: expandingHome($0)) }
    }
}
