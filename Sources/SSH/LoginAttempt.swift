/// What came of one key file.
struct LoginAttempt: Hashable {
    enum Outcome: Hashable {
        case accepted
        case refused
        /// The host refused the only signature that this libssh2 makes with an RSA key, as sshd does since 8.8.
        case refusedOutdatedSignature
        /// The host hung up instead of answering, as sshd does after too many keys.
        case connectionClosed
        /// The file's kind says why.
        case notOffered
        case unusable(String)
    }

    let file: PrivateKeyFile
    let outcome: Outcome

    /// Says in words why nobody was let in, and what would help.
    static func failure(of attempts: [LoginAttempt], user: String) -> SSHError {
        guard !attempts.isEmpty else {
            return SSHError(
                .loginRefused, "cannot log in as \(user): there is no key file to log in with",
                remedy: "make a key with ssh-keygen -t ed25519")
        }
        let reasons = attempts.map { "\($0.file.name) \($0.reason)" }.joined(separator: ", ")
        return SSHError(
            .loginRefused, "cannot log in as \(user): \(reasons)", remedy: remedy(for: attempts, user: user))
    }

    private var reason: String {
        switch (outcome, file.kind) {
        case (.accepted, _): "was accepted"
        case (.connectionClosed, _): "was answered by hanging up"
        case (.unusable(let words), _): "cannot be used (\(words))"
        case (.refusedOutdatedSignature, _):
            "is an RSA key, which libssh2 \(Library.version) cannot use with this host"
        case (.refused, _): "was refused"
        case (.notOffered, .missing): "does not exist"
        case (.notOffered, .unreadable): "cannot be read"
        case (.notOffered, .encrypted): "is encrypted, which is not supported yet"
        case (.notOffered, .notAKey), (.notOffered, .key): "is not a private key"
        }
    }

    private static func remedy(for attempts: [LoginAttempt], user: String) -> String? {
        if let refused = attempts.first(where: { $0.outcome == .refused }) {
            return "add \(refused.file.name).pub to the authorized keys of \(user) on the host"
        }
        if attempts.contains(where: { $0.outcome == .refusedOutdatedSignature }) {
            return "RSA keys need libssh2 1.11 or later; make another key with ssh-keygen -t ed25519"
        }
        if attempts.contains(where: { $0.file.kind == .encrypted }) {
            return "name a key file without a passphrase"
        }
        if attempts.contains(where: { $0.file.kind == .unreadable }) { return "check the permissions of the file" }
        return attempts.contains(where: { $0.file.kind == .missing }) ? "name a key file that exists" : nil
    }
}
