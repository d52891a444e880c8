import FoundationEssentials
import Testing

@testable import SSH

/// What only a real sshd shows about the lock, and about what a controller leaves behind.
@Suite("Loopback: lock", .timeLimit(.minutes(1)))
struct LoopbackLockTests {
    @Test("keeps a second run out and tells it who is at work")
    func locked() async throws {
        try await LoopbackServer.serving { server in
            let first = try await server.openShell(locked: true)
            let error = await #expect(throws: SSHError.self) { try await server.openShell(locked: true) }
            #expect(error?.code == .locked)
            #expect(error?.message.contains(Controller.name + " since 2") == true)
            #expect(try await server.openShell().run("echo looking").standardOutputText == "looking\n")
            #expect(try await first.run("[ ! -e $DROVER_HALT ]").status == 0, "nobody else can halt it")
            await first.close()
            _ = try await server.openShell(locked: true, lockWait: .seconds(5))
        }
    }

    @Test("says why a host cannot be locked")
    func impossible() async throws {
        try await LoopbackServer.serving { server in
            let connection = try await server.connect()
            let error = await #expect(throws: SSHError.self) {
                try await connection.openShell(lockFile: "/nowhere/lock", stateDirectory: server.directory + "/state")
            }
            #expect(error?.code == .protocolFailure)
            #expect(error?.message.contains("/nowhere/lock") == true)
            // The connection is as good as before.
            _ = try await connection.openShell().run("true")
        }
    }

    @Test("writes nothing on the host without a lock")
    func readOnly() async throws {
        try await LoopbackServer.serving { server in
            _ = try await server.openShell().run("true")
            #expect(!FileManager.default.fileExists(atPath: server.directory + "/state"))
        }
    }

    @Test("tells the next shell the outcome of the last request")
    func outcome() async throws {
        try await LoopbackServer.serving { server in
            let id = RequestID()
            let first = try await server.openShell(locked: true)
            #expect(await first.lastOutcome == nil)
            _ = try await first.run("exit 7", id: id)
            await first.close()
            let second = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await second.lastOutcome == RequestOutcome(id: id, status: 7))
        }
    }

    @Test("ends an ordinary script when the controller vanishes")
    func end() async throws {
        try await LoopbackServer.serving { server in
            let id = RequestID()
            try await abandon("sleep 1000", id: id, .end, on: server)
            let shell = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await shell.lastOutcome == RequestOutcome(id: id, status: 143))
        }
    }

    @Test("lets a script that must finish run to its end when the controller vanishes")
    func finish() async throws {
        try await LoopbackServer.serving { server in
            let id = RequestID()
            try await abandon(
                "until [ -e $DROVER_HALT ]; do sleep 0.02; done; echo done; exit 7", id: id, .finish, on: server)
            let shell = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await shell.lastOutcome == RequestOutcome(id: id, status: 7))
            let log = try await shell.run("cat \(server.directory)/state/output").standardOutputText
            #expect(log == "begun\ndone\n")
        }
    }

    @Test("hands on the output of a script that must finish, and its status")
    func finishWatched() async throws {
        try await LoopbackServer.serving { server in
            let shell = try await server.openShell(locked: true)
            let result = try await shell.run(
                "echo one; echo two >&2; seq 100000; exit 3", whenAbandoned: .finish)
            #expect(result.standardOutputText == "one\n" + (1...100_000).map { "\($0)\n" }.joined())
            #expect(result.standardErrorText == "two\n")
            #expect(result.status == 3)
            #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
        }
    }

    @Test("ends a script that must finish when its task is cancelled, and serves on")
    func finishCancelled() async throws {
        try await LoopbackServer.serving { server in
            let id = RequestID()
            let shell = try await server.openShell(locked: true)
            let (started, continuation) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await shell.run("echo; sleep 1000", id: id, whenAbandoned: .finish) { _ in continuation.yield() }
            }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await shell.run("echo still here").standardOutputText == "still here\n")
            await shell.close()
            let next = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await next.lastOutcome?.id != id)
        }
    }

    @Test("a script that looks for it learns that it is to end at a point that suits it", arguments: [true, false])
    func halt(asked: Bool) async throws {
        try await LoopbackServer.serving { server in
            let connection = try await server.connect()
            let shell = try await connection.openShell(
                lockFile: server.directory + "/lock", stateDirectory: server.directory + "/state")
            let (started, continuation) = AsyncStream<Void>.makeStream()
            let id = RequestID()
            let task = Task {
                try await shell.run(
                    "echo; until [ -e $DROVER_HALT ]; do sleep 0.02; done; exit 7", id: id, whenAbandoned: .finish
                ) { _ in continuation.yield() }
            }
            for await _ in started { break }
            if asked {
                await shell.halt()
                #expect(try await task.value.status == 7)
                await connection.close()
            } else {
                await connection.close()
                _ = await task.result
            }
            let next = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await next.lastOutcome == RequestOutcome(id: id, status: 7))
            #expect(try await next.run("[ ! -e $DROVER_HALT ]").status == 0, "a new run may go on")
        }
    }

    @Test("says when only the last step of a run that has gone keeps the lock")
    func orphan() async throws {
        try await LoopbackServer.serving { server in
            let id = RequestID()
            try await abandon("until [ -e \(server.directory)/go ]; do sleep 0.02; done", id: id, .finish, on: server)
            var error: SSHError?
            // The server on the host learns of the end of the connection a moment after us.
            while error?.code != .lockedByStep {
                error = await #expect(throws: SSHError.self) { try await server.openShell(locked: true) }
            }
            #expect(error?.message.contains(Controller.name + " since 2") == true)
            _ = FileManager.default.createFile(atPath: server.directory + "/go", contents: nil)
            let next = try await server.openShell(locked: true, lockWait: .seconds(5))
            #expect(await next.lastOutcome == RequestOutcome(id: id, status: 0))
        }
    }

    /// Runs a script and closes the connection when it has begun.
    private func abandon(
        _ script: String, id: RequestID, _ policy: AbandonmentPolicy, on server: LoopbackServer
    ) async throws {
        let connection = try await server.connect()
        let shell = try await connection.openShell(
            lockFile: server.directory + "/lock", stateDirectory: server.directory + "/state")
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await shell.run("echo begun; " + script, id: id, whenAbandoned: policy) { _ in continuation.yield() }
        }
        for await _ in started { break }
        await connection.close()
        let error = await #expect(throws: SSHError.self) { try await task.value }
        #expect(error?.code == .connectionLost)
    }
}
