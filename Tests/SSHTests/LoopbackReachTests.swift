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

    @Test("trusts no key that RevokedHostKeys names, nor any without that file", arguments: ["text", "list", "gone"])
    func revokedHostKeys(form: String) async throws {
        try await LoopbackServer.serving { server in
            let file = server.directory + "/revoked"
            switch form {
            case "text": try server.write("# old\n" + server.publicKey(server.hostKeyFile) + " x\n", to: file)
            case "list": try await server.revoke(server.hostKeyFile + ".pub", in: file)
            default: break
            }
            let error = await failure { try await server.connect { $0.revokedKeysFile = file } }
            #expect(error?.code == .hostKeyRevoked)
            #expect(error?.message.contains(file) == true)
            if form == "gone" { return }
            // Another key's list does not matter.
            try await server.revoke(server.userKeyFile + ".pub", in: file)
            try await server.connect { $0.revokedKeysFile = file }.close()
        }
    }

    @Test(
        "offers no algorithm that is broken, to a host that has only such",
        arguments: [
            ["Ciphers 3des-cbc,aes256-cbc"], ["MACs hmac-md5,hmac-sha1-96"],
            ["KexAlgorithms diffie-hellman-group1-sha1,diffie-hellman-group14-sha1"],
        ])
    func broken(settings: [String]) async throws {
        try await LoopbackServer.serving(settings: settings) { server in
            let error = await failure { try await server.connect() }
            #expect(error?.message.contains("have no algorithm in common") == true, "\(String(describing: error))")
        }
    }

    @Test(
        "still speaks to what Debian 8 and CentOS 7 have",
        arguments: [
            ["KexAlgorithms curve25519-sha256@libssh.org", "Ciphers aes256-ctr", "MACs hmac-sha2-512"],
            ["KexAlgorithms ecdh-sha2-nistp256", "Ciphers aes128-ctr", "MACs hmac-sha2-256"],
            ["KexAlgorithms diffie-hellman-group-exchange-sha256", "Ciphers aes192-ctr", "MACs hmac-sha1"],
        ])
    func old(settings: [String]) async throws {
        try await LoopbackServer.serving(settings: settings) { server in try await server.connect().close() }
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
