import FoundationEssentials
import NIOCore
import NIOPosix
import Testing

@testable import SSH

/// What only a real sshd shows about getting in and being cut off.
@Suite("Loopback: connections", .timeLimit(.minutes(1)))
struct LoopbackConnectionTests {
    @Test("refuses a host that no file names, and says which line to add")
    func unknownHost() async throws {
        try await LoopbackServer.serving { server in
            try server.write("", to: server.knownHostsFile)
            let error = try #require(await failure { try await server.connect() })
            #expect(error.code == .hostKeyUnknown)
            #expect(error.message.contains("SHA256:"))
            let line = try "[127.0.0.1]:\(server.port) " + server.publicKey(server.hostKeyFile)
            #expect(error.remedy?.hasSuffix("add this line to \(server.knownHostsFile): \(line)") == true)
        }
    }

    @Test("refuses a host with another key, and says which line knows it otherwise")
    func changedKey() async throws {
        try await LoopbackServer.serving { server in
            let key = try server.publicKey(server.userKeyFile)
            try server.write("# a comment\n[127.0.0.1]:\(server.port) \(key)\n", to: server.knownHostsFile)
            let error = try #require(await failure { try await server.connect() })
            #expect(error.code == .hostKeyChanged)
            #expect(error.message.contains("\(server.knownHostsFile):2"))
        }
    }

    @Test("refuses a revoked key")
    func revokedKey() async throws {
        try await LoopbackServer.serving { server in
            let line = try "[127.0.0.1]:\(server.port) " + server.publicKey(server.hostKeyFile)
            try server.write("\(line)\n@revoked \(line)\n", to: server.knownHostsFile)
            #expect(await failure { try await server.connect() }?.code == .hostKeyRevoked)
        }
    }

    @Test("asks for the type of key that is known")
    func keyType() async throws {
        try await LoopbackServer.serving(settings: ["HostKey %D/ecdsa"]) { server in
            let result = try await server.openShell().run("echo in")
            #expect(result.standardOutputText == "in\n")
        }
    }

    @Test("says why no key opened the door")
    func refusedKeys() async throws {
        try await LoopbackServer.serving { server in
            let (other, rsa) = (server.directory + "/other", server.directory + "/rsa")
            try await LoopbackServer.makeKey(other)
            try await LoopbackServer.makeKey(rsa, type: "rsa", options: ["-b", "2048"])
            let error = try #require(
                await failure { try await server.connect { $0.keyFiles = [other, rsa, "/nowhere"] } })
            #expect(error.code == .loginRefused)
            #expect(error.message.contains("\(other) was refused, \(rsa) "))
            #expect(error.message.contains("/nowhere does not exist"))
            // The right key comes in after the wrong ones.
            let connection = try await server.connect { $0.keyFiles = [other, rsa, server.userKeyFile] }
            await connection.close()
        }
    }

    @Test("says that nobody listens")
    func refusedConnection() async throws {
        try await LoopbackServer.serving { server in
            var destination = server.destination
            destination.port = 1
            let error = await failure {
                try await SSHConnection.connect(
                    to: destination, options: server.options, on: .singletonMultiThreadedEventLoopGroup)
            }
            #expect(error?.code == .unreachable)
            #expect(error?.message == "cannot connect to 127.0.0.1 port 1: connection refused")
        }
    }

    @Test("gives up on a server that says nothing")
    func silentServer() async throws {
        try await withListener { destination in
            var options = SSHOptions()
            options.connectTimeout = .milliseconds(100)
            let error = await failure {
                try await SSHConnection.connect(
                    to: destination, options: options, on: .singletonMultiThreadedEventLoopGroup)
            }
            #expect(error?.code == .unreachable)
        }
    }

    @Test("stops connecting when the task is cancelled")
    func cancelled() async throws {
        try await withListener { destination in
            let task = Task {
                try await SSHConnection.connect(to: destination, on: .singletonMultiThreadedEventLoopGroup)
            }
            await Task.yield()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("tells everyone who waits when the line is cut")
    func cut() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            // The first has its turn before the second asks for one.
            let (started, continuation) = AsyncStream<Void>.makeStream()
            let running = Task {
                try await shell.run(
                    """
                    echo; until [ -e \(server.directory)/go ]; do sleep 0.02; done
                    kill -KILL $(ps -o ppid= -p $(ps -o ppid= -p $PPID)); sleep 9
                    """
                ) { _ in continuation.yield() }
            }
            _ = await started.first { true }
            let waiting = Task.immediate { try await shell.run("echo") }
            // The shell answers in the order of the questions: by then the second has asked for its turn.
            _ = await shell.lastOutcome
            _ = FileManager.default.createFile(atPath: server.directory + "/go", contents: nil)
            #expect(await failure { try await running.value }?.code == .connectionLost)
            #expect(await failure { try await waiting.value }?.code == .connectionLost)
        }
    }

    /// The `SSHError` that `body` throws.
    private func failure<T>(of body: () async throws -> T) async -> SSHError? {
        await #expect(throws: SSHError.self) { _ = try await body() }
    }

    /// A listener on loopback that accepts and stays silent.
    private func withListener(_ body: (SSHDestination) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let result = await Result { try await body(SSHDestination(address: "127.0.0.1", port: port, user: "nobody")) }
        try await listener.close()
        try result.get()
    }
}
