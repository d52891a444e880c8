import Secrets
import Testing

@testable import SSH

/// Logins by password, against accounts of a namespace.
@Suite("Loopback: passwords", .timeLimit(.minutes(1)), .enabled(if: LoopbackAccounts.arePossible))
struct LoopbackPasswordTests {
    private func failure(
        _ settings: [String], password: String?
    ) async throws -> SSHError? {
        let failure = Box()
        try await LoopbackServer.serving(settings: settings, accounts: LoopbackAccounts()) { server in
            do {
                let connection = try await server.connect(as: LoopbackAccounts.user) {
                    $0.keyFiles = []
                    $0.password = password.map { Secret($0) }
                }
                await connection.close()
            } catch let error as SSHError {
                await failure.set(error)
            }
        }
        return await failure.error
    }

    private actor Box {
        private(set) var error: SSHError?
        func set(_ error: SSHError) { self.error = error }
    }

    private static let questions = ["UsePAM yes", "PasswordAuthentication no", "KbdInteractiveAuthentication yes"]
    private static let plain = ["PasswordAuthentication yes", "KbdInteractiveAuthentication no"]

    @Test("lets in by either way", arguments: [questions, plain])
    func right(settings: [String]) async throws {
        #expect(try await failure(settings, password: "hunter2") == nil)
    }

    @Test(
        "says what was refused",
        arguments: [
            (
                questions, "hunter3" as String?,
                """
                cannot log in as drover-test: the password (keyboard-interactive) was refused \
                (the host takes keyboard-interactive, publickey)
                """
            ),
            (
                plain, "hunter3",
                "cannot log in as drover-test: the password was refused (the host takes password, publickey)"
            ),
            (
                plain, nil,
                """
                cannot log in as drover-test: there is no key to log in with (the host takes password, publickey); \
                make a key with ssh-keygen -t ed25519, or give the password by --ask-pass
                """
            ),
            (
                ["PasswordAuthentication no", "KbdInteractiveAuthentication no"], "hunter2",
                """
                cannot log in as drover-test: there is no key to log in with (the host takes publickey); \
                make a key with ssh-keygen -t ed25519
                """
            ),
        ])
    func wrong(settings: [String], password: String?, text: String) async throws {
        #expect(try await failure(settings, password: password)?.description == text)
    }
}
