import Testing

@testable import SSH

@Suite("LoginAttempt")
struct LoginAttemptTests {
    private static func attempt(
        _ name: String, _ kind: PrivateKeyFile.Kind, _ outcome: LoginAttempt.Outcome = .notOffered
    ) -> LoginAttempt {
        LoginAttempt(file: PrivateKeyFile(name: name, kind: kind), outcome: outcome)
    }

    @Test(
        "says why nobody was let in, and what would help",
        arguments: [
            (
                [],
                """
                cannot log in as root: there is no key file to log in with; make a key with ssh-keygen -t ed25519
                """
            ),
            (
                [attempt("a", .missing)],
                "cannot log in as root: a does not exist; name a key file that exists"
            ),
            (
                [attempt("a", .encrypted)],
                """
                cannot log in as root: a is encrypted, which is not supported yet; name a key file without a passphrase
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
        let error = LoginAttempt.failure(of: attempts, user: "root")
        #expect(error.code == .loginRefused)
        #expect(error.description == text)
    }

    @Test("explains what an old libssh2 makes of an RSA key")
    func rsa() {
        let attempt = Self.attempt("a", .key(type: "ssh-rsa"), .refusedOutdatedSignature)
        #expect(
            LoginAttempt.failure(of: [attempt], user: "root").description == """
                cannot log in as root: a is an RSA key, which libssh2 \(Library.version) cannot use with this host; \
                RSA keys need libssh2 1.11 or later; make another key with ssh-keygen -t ed25519
                """)
    }
}
