import FoundationEssentials
import Glibc
import NIOPosix
import Testing

@testable import SSH

@Suite("Local connection", .timeLimit(.minutes(1)))
struct LocalConnectionTests {
    private func shell() async throws -> (LocalConnection, RemoteShell) {
        let connection = LocalConnection(on: .singletonMultiThreadedEventLoopGroup)
        return (connection, try await connection.openShell())
    }

    @Test("runs scripts by the same protocol, and tells their outputs apart")
    func run() async throws {
        let (connection, shell) = try await shell()
        let result = try await shell.run("echo one; echo two >&2; pwd; exit 3")
        #expect(result.standardOutputText == "one\n/\n")
        #expect(result.standardErrorText == "two\n")
        #expect(result.status == 3)
        let large = try await shell.run("head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2")
        #expect(large.standardOutput.count == 3_000_000)
        #expect(large.standardError.count == 1_000_000)
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        #expect(try await shell.run("printf %s \(text) | wc -c").standardOutputText == "\(1 << 20)\n")
        await connection.close()
    }

    @Test("refuses a script with a NUL, where a shell would end a word")
    func nul() async throws {
        let (connection, shell) = try await shell()
        let error = await #expect(throws: SSHError.self) { try await shell.run("echo 'a\0b'") }
        #expect(error?.message.contains("NUL") == true)
        #expect(try await shell.run("echo a").standardOutputText == "a\n")
        await connection.close()
    }

    @Test("gives scripts nothing of this program's environment")
    func environment() async throws {
        Glibc.setenv("DROVER_TEST_CANARY", "seen", 1)
        let (connection, shell) = try await shell()
        #expect(try await shell.run("echo ${DROVER_TEST_CANARY-hidden}").standardOutputText == "hidden\n")
        await connection.close()
    }

    @Test("ends a script when its task is cancelled, and goes on")
    func cancel() async throws {
        let (connection, shell) = try await shell()
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let task = Task { try await shell.run("echo; sleep 1000") { _ in continuation.yield() } }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
        await connection.close()
    }

    @Test("ends with its connection")
    func ends() async throws {
        let (connection, shell) = try await shell()
        await connection.close()
        let error = await #expect(throws: SSHError.self) { try await shell.run("echo") }
        #expect(error?.code == .connectionLost)
    }
}
