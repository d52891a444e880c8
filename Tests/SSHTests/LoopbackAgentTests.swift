import Secrets
import Testing

@testable import SSH

/// Logins by an agent, which is an ssh-agent.
@Suite("Loopback: agents", .timeLimit(.minutes(1)))
struct LoopbackAgentTests {
    /// A server that knows the key `user`, an encrypted file, and an agent of our own.
    private func withAgent(_ body: @Sendable (LoopbackServer, KeyRing) async throws -> Void) async throws {
        try await LoopbackServer.serving { server in
            let ring = try await KeyRing()
            let result = await Result { try await body(server, ring) }
            await ring.close()
            try result.get()
        }
    }

    @Test("logs in by an encrypted key, which is decrypted once")
    func encrypted() async throws {
        try await withAgent { server, ring in
            try await server.encrypt(server.userKeyFile, passphrase: "hunter4 ' ")
            let refusal = await #expect(throws: SSHError.self) { _ = try await server.connect() }
            #expect(refusal?.message.contains("user is encrypted, and its passphrase is not known") == true)
            #expect(try await ring.add(server.userKeyFile, passphrase: Secret("hunter3")) == .wrongPassphrase)
            #expect(try await ring.add(server.userKeyFile, passphrase: Secret("hunter4 ' ")) == .added)
            for _ in 0..<2 {
                let connection = try await server.connect { $0.agentSockets = [ring.socket] }
                await connection.close()
            }
        }
    }

    @Test("says what is wrong with a file that is no key")
    func notAKey() async throws {
        try await withAgent { server, ring in
            let outcome = try await ring.add(server.knownHostsFile, passphrase: Secret("x"))
            #expect(outcome != .added && outcome != .wrongPassphrase)
        }
    }

    @Test("tries the agent's key of a named file first, and others only when it may")
    func order() async throws {
        try await withAgent { server, ring in
            let other = server.directory + "/other"
            try await LoopbackServer.makeKey(other)
            for file in [other, server.userKeyFile] {
                #expect(try await ring.add(file, passphrase: Secret("")) == .added)
            }
            let sockets = [server.directory + "/no-agent", ring.socket]
            func connect(_ keyFile: String, onlyNamed: Bool) async throws {
                let connection = try await server.connect {
                    $0.agentSockets = sockets
                    $0.keyFiles = [keyFile]
                    $0.usesOnlyNamedKeys = onlyNamed
                }
                await connection.close()
            }
            try await connect(server.userKeyFile, onlyNamed: true)
            try await connect("/nowhere", onlyNamed: false)
            let refusal = await #expect(throws: SSHError.self) { try await connect(other, onlyNamed: true) }
            #expect(refusal?.message.contains("the agent's key ") == true)
            #expect(refusal?.message.contains(" was refused (the host takes ") == true)
            // The file itself is not tried again.
            #expect(refusal?.message.contains("\(other) was refused, ") == false)
        }
    }

    @Test("tells when the host hangs up after too many keys")
    func tooMany() async throws {
        try await LoopbackServer.serving(settings: ["MaxAuthTries 2"]) { server in
            let ring = try await KeyRing()
            var files: [String] = []
            for number in 0..<4 {
                files.append(server.directory + "/other\(number)")
                try await LoopbackServer.makeKey(files[number])
                _ = try await ring.add(files[number], passphrase: Secret(""))
            }
            let refusal = await #expect(throws: SSHError.self) {
                _ = try await server.connect { $0.agentSockets = [ring.socket] }
            }
            #expect(refusal?.code == .loginRefused)
            #expect(refusal?.message.hasSuffix("was answered by hanging up") == true)
            await ring.close()
        }
    }
}
