import Testing

@testable import SSH

@Suite("LoginAttempt")
struct LoginAttemptTests {
    private static func attempt(
        _ name: String, _ kind: PrivateKeyFile.Kind, _ outcome: LoginAttempt.Outcome = .notOffered
    ) -> LoginAttempt {
        LoginAttempt(subject: .file(PrivateKeyFile(name: name, kind: kind)), outcome: outcome)
    }

    @Test(
        "says why nobody was let in, and what would help",
        arguments: [
            (
                [],
                """
                cannot log in as root: there is no key to log in with; make a key with ssh-keygen -t ed25519
                """
            ),
            (
                [attempt("a", .missing)],
                "cannot log in as root: a does not exist; name a key file that exists"
            ),
            (
                [attempt("a", .encrypted)],
                """
                cannot log in as root: a is encrypted, and its passphrase is not known; load it with ssh-add, or give its \
                passphrase by ansible_ssh_private_key_passphrase: !env NAME
                """
            ),
            (
                [attempt("a", .unreadable), attempt("b", .notAKey)],
                "cannot log in as root: a cannot be read, b is not a private key; check the permissions of the file"
            ),
            (
                [attempt("a", .missing), attempt("b", .key(type: "ssh-ed25519"), .refused)],
                """
                cannot log in as root: a does not exist, b was refused; \
                add b.pub to the authorized keys of root on the host
                """
            ),
            (
                [attempt("a", .key(type: nil), .refused), attempt("b", .key(type: nil), .connectionClosed)],
                """
                cannot log in as root: a was refused, b was answered by hanging up; \
                add a.pub to the authorized keys of root on the host
                """
            ),
        ])
    func failure(attempts: [LoginAttempt], text: String) {
        let error = LoginAttempt.failure(of: attempts, user: "root", methods: [], hasPassword: false)
        #expect(error.code == .loginRefused)
        #expect(error.description == text)
    }

    @Test("explains what an old libssh2 makes of an RSA key")
    func rsa() {
        let attempt = Self.attempt("a", .key(type: "ssh-rsa"), .refusedOutdatedSignature)
        #expect(
            LoginAttempt.failure(of: [attempt], user: "root", methods: [], hasPassword: false).description == """
                cannot log in as root: a is an RSA key, which libssh2 \(Library.version) cannot use with this host; \
                RSA keys need libssh2 1.11 or later; make another key with ssh-keygen -t ed25519
                """)
    }

    @Test(
        "names the ways that the host takes",
        arguments: [
            (
                [], ["publickey", "password"], false,
                """
                cannot log in as root: there is no key to log in with (the host takes password, publickey); make a key with \
                ssh-keygen -t ed25519, or give the password by --ask-pass
                """
            ),
            (
                [LoginAttempt(subject: .password, outcome: .refused)], ["password"], true,
                "cannot log in as root: the password was refused (the host takes password)"
            ),
            (
                [attempt("a", .missing)], ["publickey"], true,
                """
                cannot log in as root: a does not exist, the password is of no use there (the host takes publickey); \
                name a key file that exists
                """
            ),
            (
                [LoginAttempt(subject: .answers, outcome: .notUnderstood("Code: "))], ["keyboard-interactive"], true,
                """
                cannot log in as root: the password (keyboard-interactive) does not answer 'Code:' \
                (the host takes keyboard-interactive)
                """
            ),
        ] as [([LoginAttempt], Set<String>, Bool, String)])
    func methods(attempts: [LoginAttempt], methods: Set<String>, hasPassword: Bool, text: String) {
        let error = LoginAttempt.failure(of: attempts, user: "root", methods: methods, hasPassword: hasPassword)
        #expect(error.description == text)
    }

    @Test("names an agent's key by its comment, or by its fingerprint")
    func agentKey() {
        let key = HostKey(blob: [0, 0, 0, 1, 97])
        func name(_ comment: String) -> String {
            LoginAttempt.Subject.agentKey(AgentKey(key: key, comment: comment)).name
        }
        #expect(name("me@here") == "the agent's key me@here")
        #expect(name("") == "the agent's key \(key.fingerprint)")
    }
}
