import Testing

import SSH

/// Everything that only a real sshd shows.
@Suite("Loopback", .timeLimit(.minutes(1)))
struct LoopbackTests {
    @Test("runs scripts and tells their outputs apart")
    func run() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let result = try await shell.run("echo one; echo two >&2; exit 3")
            #expect(result.standardOutputText == "one\n")
            #expect(result.standardErrorText == "two\n")
            #expect(result.status == 3)
            #expect(try await shell.run("pwd").standardOutputText == "/\n")
        }
    }
}
