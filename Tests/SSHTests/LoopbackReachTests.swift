import FoundationEssentials
import Glibc
import Testing

@testable import SSH

/// New host keys, IPv6, peers that are dead, and those that have other algorithms.
@Suite("Loopback: reach", .timeLimit(.minutes(1)))
struct LoopbackReachTests {
    private func failure<T>(of body: () async throws -> T) async -> SSHError? {
        await #expect(throws: SSHError.self) { _ = try await body() }
    }

    @Test("trusts a new host when it may, and writes down its key once")
    func newHost() async throws {
        try await LoopbackServer.serving { server in
            try server.write("# no newline at the end", to: server.knownHostsFile)
            let (told, notes) = AsyncStream<String>.makeStream()
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let connection = try await server.connect {
                            $0.onNewHostKey = { notes.yield($0) }
                        }
                        await connection.close()
                    }
                }
                try await group.waitForAll()
            }
            let line = try "[127.0.0.1]:\(server.port) " + server.publicKey(server.hostKeyFile)
            let text = try String(contentsOfFile: server.knownHostsFile, encoding: .utf8)
            #expect(text == "# no newline at the end\n\(line)\n")
            let note = await told.first { _ in true }
            #expect(note?.hasSuffix("was added to \(server.knownHostsFile)") == true)
            // From then on it is known.
            try await server.connect().close()
        }
    }

    @Test("trusts no changed key, and no revoked one, whatever it may")
    func changedHost() async throws {
        try await LoopbackServer.serving { server in
            let name = "[127.0.0.1]:\(server.port)"
            let (other, own) = try (server.publicKey(server.userKeyFile), server.publicKey(server.hostKeyFile))
            for (text, code) in [
                ("\(name) \(other)\n", SSHError.Code.hostKeyChanged), ("@revoked * \(own)\n", .hostKeyRevoked),
                ("\(name) \(try server.publicKey(server.directory + "/ecdsa"))\n", .hostKeyUnknown),
            ] {
                try server.write(text, to: server.knownHostsFile)
                let error = await failure { try await server.connect { $0.onNewHostKey = { _ in } } }
                #expect(error?.code == code)
                #expect(try String(contentsOfFile: server.knownHostsFile, encoding: .utf8) == text)
            }
        }
    }

    @Test("says that authorities are not asked")
    func authority() async throws {
        try await LoopbackServer.serving { server in
            let key = try server.publicKey(server.userKeyFile)
            try server.write("@cert-authority * \(key)\n", to: server.knownHostsFile)
            let error = await failure { try await server.connect() }
            #expect(error?.code == .hostKeyUnknown)
            #expect(
                error?.message.contains("only by certificates (@cert-authority), which libssh2 cannot check") == true)
        }
    }

    @Test("reaches IPv6 addresses", .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6")))
    func version6() async throws {
        try await LoopbackServer.serving(address: "::1") { server in
            let result = try await server.openShell().run("echo in")
            #expect(result.standardOutputText == "in\n")
        }
    }

    @Test("notices that a host has fallen silent")
    func silence() async throws {
        try await LoopbackServer.serving { server in
            let connection = try await server.connect { $0.keepaliveInterval = .milliseconds(1500) }
            let shell = try await connection.openShell()
            // The sshd of this session.
            let text = try await shell.run("ps -o ppid= -p $(ps -o ppid= -p $PPID)").standardOutputText
            let sshd = try #require(Int32(text.filter(\.isNumber)))
            defer { kill(sshd, SIGKILL) }
            kill(sshd, SIGSTOP)
            let error = await failure { try await shell.run("echo") }
            #expect(error?.code == .connectionLost)
            #expect(error?.message == "the host has been silent for 4.5 s")
        }
        #expect(SSHOptions().silenceLimit + SSHOptions().keepaliveInterval < .seconds(60))
    }

    @Test("names both lists when nothing is common")
    func algorithms() async throws {
        try await LoopbackServer.serving(settings: ["KexAlgorithms sntrup761x25519-sha512@openssh.com"]) { server in
            let error = await failure { try await server.connect() }
            #expect(error?.code == .unreachable)
            let message = error?.message ?? ""
            #expect(message.contains("have no algorithm in common: KexAlgorithms here "), "\(message)")
            #expect(message.contains(",ecdh-sha2-nistp256,"))
            #expect(message.contains(" and there sntrup761x25519-sha512@openssh.com"))
            #expect(!message.contains("Ciphers"))
        }
    }
}
