import FoundationEssentials
import Testing

@testable import SSH

/// What only a real sshd shows about scripts.
@Suite("Loopback: scripts", .timeLimit(.minutes(1)))
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

    @Test("answers requests that are made at the same time, each with its own output")
    func concurrent() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask { try await shell.run("echo \(number)").standardOutputText == "\(number)\n" }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("carries scripts and outputs of any size and any bytes, also while the keys are changed")
    func large() async throws {
        try await LoopbackServer.serving(settings: ["RekeyLimit 1M"]) { server in
            let shell = try await server.openShell()
            let content = String(repeating: "0123456789abcdef", count: 5 << 16)
            #expect(try await shell.run("printf %s \(content) | wc -c").standardOutputText == "\(5 << 20)\n")
            let bytes = try await shell.run(
                "head -c 10000000 /dev/zero; head -c 3000000 /dev/zero | tr '\\0' '\\36' >&2")
            #expect(bytes.standardOutput == [UInt8](repeating: 0, count: 10_000_000))
            #expect(bytes.standardError == [UInt8](repeating: 0x1e, count: 3_000_000))
        }
    }

    @Test("shows a script in no process's arguments or environment")
    func secret() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let result = try await shell.run(
                """
                # canary-5f3a
                all=$(cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' ' ')
                case $all in *canary""-5f3a*) echo seen;; *sshd*) echo hidden;; esac
                """)
            #expect(result.standardOutputText == "hidden\n")
        }
    }

    @Test("hands on output as it arrives")
    func streams() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let go = server.directory + "/go"
            // The script ends only when somebody has seen its first line.
            let result = try await shell.run("echo ready; until [ -e \(go) ]; do sleep 0.01; done; echo seen") {
                output in
                if output == .standardOutput(Array("ready\n".utf8)) {
                    _ = FileManager.default.createFile(atPath: go, contents: nil)
                }
            }
            #expect(result.standardOutputText == "ready\nseen\n")
        }
    }

    @Test("keeps the end of what was handed on, and no more than anybody can want of the rest")
    func endless() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let result = try await shell.run("head -c 1000000 /dev/zero | tr '\\0' x; echo end") { _ in }
            #expect(result.standardOutput.count == 65_536)
            #expect(result.standardOutputText.hasSuffix("xend\n"))
            let whole = try await shell.run("head -c 1000000 /dev/zero")
            #expect(whole.standardOutput.count == 1_000_000)
            let error = await #expect(throws: SSHError.self) { try await shell.run("cat /dev/zero") }
            #expect(error?.message == "the script printed more than 64 MB and was ended")
            #expect(try await shell.run("echo on").standardOutputText == "on\n")
        }
    }

    @Test("ends a script when its task is cancelled, and goes on")
    func cancel() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let (started, continuation) = AsyncStream<Void>.makeStream()
            let task = Task { try await shell.run("echo; sleep 1000 | sleep 1000") { _ in continuation.yield() } }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
        }
    }

    @Test("ends a script that is cancelled before it has begun")
    func cancelEarly() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            for _ in 0..<20 {
                let task = Task { try await shell.run("sleep 1000") }
                await Task.yield()
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
        }
    }

    @Test("ends a script that takes too long, and goes on")
    func timeout() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell()
            let error = await #expect(throws: SSHError.self) {
                try await shell.run("sleep 1000", timeout: .milliseconds(50))
            }
            #expect(error?.code == .timedOut)
            #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
        }
    }

    @Test("counts the bytes on the wire")
    func statistics() async throws {
        try await LoopbackServer.serving { server in
            let connection = try await server.connect()
            let shell = try await connection.openShell()
            let before = await connection.statistics
            _ = try await shell.run("true")
            let after = await connection.statistics
            #expect((1..<400).contains(after.bytesSent - before.bytesSent))
            #expect((1..<400).contains(after.bytesReceived - before.bytesReceived))
        }
    }
}
