import NIOPosix
import Testing

@testable import SSH

/// Connections through other hosts, all of which are one sshd.
@Suite("Loopback: jump hosts", .timeLimit(.minutes(1)))
struct LoopbackJumpTests {
    private func jump(_ server: LoopbackServer, through outer: SSHConnection) async throws -> SSHConnection {
        try await SSHConnection.connect(
            to: server.destination, through: outer, options: server.options, on: .singletonMultiThreadedEventLoopGroup)
    }

    @Test("works through two jump hosts, with much output, both ways")
    func chain() async throws {
        try await LoopbackServer.serving { server in
            let first = try await server.connect()
            let second = try await jump(server, through: first)
            let third = try await jump(server, through: second)
            let shell = try await third.openShell()
            let word = String(repeating: "0123456789abcdef", count: 20_000)
            #expect(try await shell.run("printf %s \(word) | wc -c").standardOutputText == "320000\n")
            let result = try await shell.run("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2")
            #expect(result.standardOutput.count == 3_000_000)
            #expect(result.standardError.count == 3_000_000)
            for connection in [third, second, first] { await connection.close() }
        }
    }

    @Test("carries many connections by one login")
    func many() async throws {
        try await LoopbackServer.serving { server in
            let outer = try await server.connect()
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        let connection = try await jump(server, through: outer)
                        let text = try await connection.openShell().run("echo \(number)").standardOutputText
                        await connection.close()
                        return text
                    }
                }
                var texts: Set<String> = []
                for try await text in group { texts.insert(text) }
                #expect(texts.count == 5)
            }
            #expect(await outer.isOpen)
            await outer.close()
        }
    }

    @Test("tells that the jump host cannot get on")
    func refused() async throws {
        for settings in [[], ["AllowTcpForwarding no"]] {
            try await LoopbackServer.serving(settings: settings) { server in
                let outer = try await server.connect()
                let destination = SSHDestination(address: "127.0.0.1", port: 1, user: "root")
                let error = await #expect(throws: SSHError.self) {
                    _ = try await SSHConnection.connect(
                        to: destination, through: outer, options: server.options,
                        on: .singletonMultiThreadedEventLoopGroup)
                }
                #expect(error?.code == .unreachable)
                #expect(error?.message.hasPrefix("cannot reach 127.0.0.1 port 1 from 127.0.0.1: ") == true)
                // The jump host serves on.
                #expect(try await outer.openShell().run("echo in").standardOutputText == "in\n")
                await outer.close()
            }
        }
    }

    @Test("is lost with its jump host")
    func lost() async throws {
        try await LoopbackServer.serving { server in
            let outer = try await server.connect()
            let inner = try await jump(server, through: outer)
            let shell = try await inner.openShell()
            let (started, continuation) = AsyncStream<Void>.makeStream()
            let running = Task { try await shell.run("echo; sleep 20") { _ in continuation.yield() } }
            for await _ in started { break }
            await outer.close()
            let error = await #expect(throws: SSHError.self) { _ = try await running.value }
            #expect(error?.code == .connectionLost)
        }
    }
}
