public import NIOCore

/// A connection to one host, over which its shells run.
///
/// Its executor is an event loop: one loop serves any number of connections, without a thread for each.
public actor SSHConnection: ShellConnection {
    public nonisolated let destination: SSHDestination
    public nonisolated var login: String { destination.description }
    nonisolated var user: String { destination.user }
    /// The connection to the jump host through which this one goes.
    nonisolated let outer: SSHConnection?
    nonisolated let eventLoop: any EventLoop
    nonisolated let options: SSHOptions
    let wire = Wire()
    var session: Session?

    private let openings = Turns()
    private var keepalive: RepeatedTask?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Bytes on the wire so far, each way.
    public var statistics: SSHStatistics { wire.statistics }

    private init(
        to destination: SSHDestination, through outer: SSHConnection?, options: SSHOptions, on eventLoop: any EventLoop
    ) {
        self.destination = destination
        self.outer = outer
        self.options = options
        self.eventLoop = eventLoop
    }

    isolated deinit {
        keepalive?.cancel()
        wire.fail(Self.closed)
    }

    /// Reaches a host, makes sure that it is the one that the known hosts files name, and logs in.
    ///
    /// - Parameters:
    ///   - jump: the connection to the host through which to go, which stays open as long as this one does.
    ///   - group: one of its event loops will serve the connection, unless there is a jump host: then it is that one's.
    /// - Throws: ``SSHError``, or `CancellationError`.
    public static func connect(
        to destination: SSHDestination, through jump: SSHConnection? = nil, options: SSHOptions = SSHOptions(),
        on group: any EventLoopGroup
    ) async throws -> SSHConnection {
        let eventLoop = jump?.eventLoop ?? group.next()
        let deadline = ContinuousClock.now + options.turnedAwayPatience
        var pause = Duration.milliseconds(100)
        while true {
            let connection = SSHConnection(to: destination, through: jump, options: options, on: eventLoop)
            do {
                try await withTaskCancellationHandler {
                    try await connection.establish()
                } onCancel: {
                    connection.eventLoop.execute {
                        connection.assumeIsolated { $0.wire.fail(CancellationError()) }
                    }
                }
                return connection
            } catch let error as SSHError {
                guard await connection.wasTurnedAway, ContinuousClock.now < deadline else { throw error }
                // At random, so that those who came together do not come together again.
                try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    public func openShell(
        as become: Become? = nil, lockFile: String? = nil, lockWait: Duration = .seconds(1),
        stateDirectory: String = "/run/drover"
    ) async throws -> RemoteShell {
        await openings.take()
        defer { openings.pass() }
        guard let session else { throw wire.failure ?? Self.closed }
        let time = openingTime(lockFile: lockFile, lockWait: lockWait)
        let limit = failing(wire, after: time) {
            SSHError(.timedOut, "the host did not start a shell within \(time.readable)")
        }
        defer { limit.cancel() }
        let id = RequestID()
        let channel = try await SessionChannel(session, command: become?.command(id) ?? "exec /bin/sh")
        return try await serve(
            on: channel, id, as: become, lockFile: lockFile, lockWait: lockWait, stateDirectory: stateDirectory)
    }

    /// Whether it has not been lost or closed so far.
    public var isOpen: Bool { session != nil && wire.failure == nil }

    /// Leads a wire of the same event loop through the host to another one.
    func openTunnel(to destination: SSHDestination, for inner: NIOLoopBound<Wire>) async throws {
        await openings.take()
        defer { openings.pass() }
        guard let session else { throw wire.failure ?? Self.closed }
        let channel = try await SessionChannel(session, to: destination.address, port: destination.port)
        // The inner wire owns it.
        _ = Tunnel(channel, to: inner.value)
    }

    public func close() {
        keepalive?.cancel()
        wire.close(Self.closed)
        session = nil
    }

    /// Whether the host has hung up before it said anything of its own, or with the words of sshd for too many at once.
    private var wasTurnedAway: Bool {
        guard wire.wasClosedByHost else { return false }
        let beginning = String(decoding: wire.beginning, as: UTF8.self)
        return ["", "Exceeded MaxStartups", "Not allowed at this time"].contains { words in
            words.isEmpty ? beginning.isEmpty : beginning.hasPrefix(words)
        }
    }

    static let closed = SSHError(.connectionLost, "the connection was closed")

    /// Asks for a sign of life at every interval.
    func keepAlive() {
        session?.startKeepalive()
        let interval = TimeAmount(options.keepaliveInterval)
        keepalive = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [weak self] _ in
            self?.assumeIsolated { $0.beat() }
        }
    }

    private func beat() {
        if NIODeadline.now() - wire.lastReceived > TimeAmount(options.silenceLimit) {
            wire.fail(SSHError(.connectionLost, "the host has been silent for \(options.silenceLimit.readable)"))
        } else {
            session?.sendKeepalive()
        }
    }
}
