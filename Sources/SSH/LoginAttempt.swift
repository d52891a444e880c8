/// What came of one key or password.
struct LoginAttempt: Hashable {
    enum Subject: Hashable {
        case agentKey(AgentKey)
        case file(PrivateKeyFile)
        /// The password as the answer to the questions of the host.
        case answers
        case password

        var name: String {
            switch self {
            case .agentKey(let key): "the agent's key \(key.comment.isEmpty ? key.key.fingerprint : key.comment)"
            case .file(let file): file.name
            case .answers: "the password (keyboard-interactive)"
            case .password: "the password"
            }
        }

        /// The key that an agent holds.
        var key: HostKey? {
            if case .agentKey(let key) = self { key.key } else { nil }
        }
    }

    enum Outcome: Hashable {
        case accepted
        case refused
        /// The host refused the only signature that this libssh2 makes with an RSA key, as sshd does since 8.8.
        case refusedOutdatedSignature
        /// The host hung up instead of answering, as sshd does after too many keys.
        case connectionClosed
        /// The subject's kind says why.
        case notOffered
        /// The host asked this, and we do not know the answer.
        case notUnderstood(String)
        case unusable(String)
    }

    let subject: Subject
    let outcome: Outcome

    /// Says in words why nobody was let in, and what would help.
    ///
    /// - Parameter methods: the ways by which the host lets this user in; empty when they are not known.
    static func failure(
        of attempts: [LoginAttempt], user: String, methods: Set<String>, hasPassword: Bool
    ) -> SSHError {
        let takesPassword = !methods.isDisjoint(with: ["password", "keyboard-interactive"])
        let ways = methods.isEmpty ? "" : " (the host takes \(methods.sorted().joined(separator: ", ")))"
        guard !attempts.isEmpty else {
            return SSHError(
                .loginRefused, "cannot log in as \(user): there is no key to log in with\(ways)",
                remedy: takesPassword && !hasPassword
                    ? "make a key with ssh-keygen -t ed25519, or give the password by --ask-pass"
                    : "make a key with ssh-keygen -t ed25519")
        }
        let reasons = attempts.map { "\($0.subject.name) \($0.reason)" }
        let unused = hasPassword && !methods.isEmpty && !takesPassword ? ["the password is of no use there"] : []
        return SSHError(
            .loginRefused,
            "cannot log in as \(user): \((reasons + unused).joined(separator: ", "))\(ways)",
            remedy: remedy(for: attempts, user: user, asksPassword: takesPassword && !hasPassword))
    }

    private var reason: String {
        switch (outcome, subject) {
        case (.accepted, _): "was accepted"
        case (.connectionClosed, _): "was answered by hanging up"
        case (.unusable(let words), _): "cannot be used (\(words))"
        case (.notUnderstood(let question), _): "does not answer '\(question.trimmingBlanks)'"
        case (.refusedOutdatedSignature, _):
            "is an RSA key, which libssh2 \(Library.version) cannot use with this host"
        case (.refused, _): "was refused"
        case (.notOffered, .file(let file)): file.kind.reason
        case (.notOffered, _): "is a certificate or a security key, which libssh2 cannot use"
        }
    }

    private static func remedy(for attempts: [LoginAttempt], user: String, asksPassword: Bool) -> String? {
        if attempts.contains(where: { $0.outcome == .connectionClosed }), attempts.count > 3 {
            return "name the right key by ansible_ssh_private_key_file or --private-key, so that it is tried first"
        }
        for case (.file(let file), .refused) in attempts.map({ ($0.subject, $0.outcome) }) {
            return "add \(file.name).pub to the authorized keys of \(user) on the host"
                + (asksPassword ? ", or give the password by --ask-pass" : "")
        }
        if attempts.contains(where: { $0.outcome == .refusedOutdatedSignature }) {
            return "RSA keys need libssh2 1.11 or later; make another key with ssh-keygen -t ed25519"
        }
        let kinds: [PrivateKeyFile.Kind] = attempts.compactMap {
            if case .file(let file) = $0.subject { file.kind } else { nil }
        }
        if kinds.contains(.encrypted) {
            return "load it with ssh-add, or give its passphrase by ansible_ssh_private_key_passphrase: !env NAME"
        }
        if kinds.contains(.unreadable) { return "check the permissions of the file" }
        if kinds.contains(.missing) { return "name a key file that exists" }
        return asksPassword ? "give the password by --ask-pass" : nil
    }
}

extension PrivateKeyFile.Kind {
    /// Why such a file is not offered.
    fileprivate var reason: String {
        switch self {
        case .missing: "does not exist"
        case .unreadable: "cannot be read"
        case .encrypted: "is encrypted, and its passphrase is not known"
        case .notAKey, .key: "is not a private key"
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
