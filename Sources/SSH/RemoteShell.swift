import NIOCore

/// A long-lived `/bin/sh` on a host that runs scripts, one after the other, each at the cost of one round trip.
///
/// It lives on the event loop of its connection, and ends with it.
public actor RemoteShell {
    /// The outcome of the last request that was made under this lock by whomever; nil when there was none, or when
    /// the shell has no lock. After a lost connection it tells whether the request in flight was carried out.
    public private(set) var lastOutcome: RequestOutcome?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        connection.eventLoop.executor.asUnownedSerialExecutor()
    }

    private nonisolated let connection: any ShellConnection
    private let become: Become?
    private let wire: Wire
    private var channel: (any ShellChannel)?
    private var failure: any Error = SSHConnection.closed
    private var isReady = false
    private var hasLock = false
    private let turns = Turns()
    private var request: ShellRequest?
    private var outgoing = ByteBuffer()
    private var isPumping = false
    private var heartbeat: RepeatedTask?

    /// To be called on the event loop of the connection.
    init(on channel: NIOLoopBound<any ShellChannel>, of connection: any ShellConnection, as become: Become?) {
        self.connection = connection
        self.become = become
        self.channel = channel.value
        wire = channel.value.wire
    }

    isolated deinit {
        heartbeat?.cancel()
        wire.observers[ObjectIdentifier(self)] = nil
    }

    /// Runs a script, by a shell of its own, in `/`, with nothing to read, `LC_ALL=C` and the PATH of root.
    ///
    /// Requests that are made at the same time wait for each other. When the task is cancelled or the time is over,
    /// the script and all its processes are ended: TERM, after 10 s KILL. A script that was to finish
    /// (`.finish`) is no exception: it outlives a controller that vanishes, not one that ends it.
    ///
    /// - Parameters:
    ///   - script: the text, of any length and without NUL. It is not visible in any list of processes.
    ///   - id: the name under which the host writes down the outcome: see ``lastOutcome``.
    ///   - timeout: how long it may take, from when it is sent.
    ///   - policy: what becomes of the script when the connection is lost; `.finish` needs a lock.
    ///   - onOutput: called on the event loop with each piece of output as it arrives; it must not block.
    /// - Returns: the exit status, whatever that is, and the whole output; only its end when `onOutput` has got it all.
    /// - Throws: ``SSHError``, also when the output is too long to be kept, or `CancellationError`.
    public func run(
        _ script: String, id: RequestID = RequestID(), timeout: Duration? = nil,
        whenAbandoned policy: AbandonmentPolicy = .end, onOutput: (@Sendable (Output) -> Void)? = nil
    ) async throws -> ShellResult {
        guard !script.utf8.contains(0) else {
            throw SSHError(.protocolFailure, "a script cannot be sent because it holds a NUL byte")
        }
        guard policy != .finish || hasLock else {
            throw SSHError(.protocolFailure, "only a shell with a lock can run a script that outlives its controller")
        }
        await turns.take()
        defer { turns.pass() }
        let text = BootText.request(id, script, policy)
        return try await perform(text, id: id, timeout: timeout, onOutput: onOutput)
    }

    /// Asks the running script to end at the next point that suits it: the file `$DROVER_HALT` then exists, for which the
    /// script is to look. It stays as long as the shell is open; a shell without a lock ignores it.
    public func halt() {
        if isReady, channel != nil { send(BootText.halt) }
    }

    /// Ends the shell, and gives up its lock. What it runs is ended, or left to itself if it was to finish.
    public func close() {
        end(SSHConnection.closed)
    }

    // MARK: Opening

    /// Sends the text that makes the shell our server.
    func boot(taking lock: BootText.Lock?) async throws {
        wire.observers[ObjectIdentifier(self)] = { [weak self] in self?.assumeIsolated { $0.pump() } }
        let options = connection.options
        let boot = BootText(id: RequestID(), lock: lock, silenceLimit: options.silenceLimit)
        var result = try await perform(boot.text, id: boot.id, timeout: nil)
        result.standardOutput = boot.output(of: result.standardOutput)
        guard result.status == 0 else {
            let error = BootFailure.error(for: result)
            end(error)
            throw error
        }
        isReady = true
        hasLock = lock != nil
        lastOutcome = RequestOutcome(result.standardOutputText)
        let interval = TimeAmount(options.keepaliveInterval)
        heartbeat = connection.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) {
            [weak self] _ in self?.assumeIsolated { $0.send(boot.heartbeat) }
        }
    }

    // MARK: Requests

    private func perform(
        _ text: String, id: RequestID, timeout: Duration?,
        onOutput: (@Sendable (Output) -> Void)? = nil
    ) async throws -> ShellResult {
        try Task.checkCancellation()
        guard channel != nil else { throw failure }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let request = ShellRequest(id, onOutput: onOutput, continuation: continuation)
                self.request = request
                request.limit = timeout.map { timeout in
                    schedule(after: timeout) { $0.interrupt(id, .timedOut(after: timeout)) }
                }
                send(text)
            }
        } onCancel: {
            _ = schedule(after: .zero) { $0.interrupt(id, .cancelled) }
        }
    }

    private nonisolated func schedule(
        after time: Duration, _ action: @escaping @Sendable (isolated RemoteShell) -> Void
    ) -> Scheduled<Void> {
        connection.eventLoop.scheduleTask(in: TimeAmount(time)) { [weak self] in
            self?.assumeIsolated { action($0) }
        }
    }

    private func interrupt(_ id: RequestID, _ interruption: ShellRequest.Interruption) {
        guard let request, request.id == id, request.interruption == nil else { return }
        request.interruption = interruption
        guard isReady else { return end(interruption.error) }
        // A signal that overtakes the start of the script is lost, hence again and again.
        let begin = NIODeadline.now()
        request.strikes = connection.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero, delay: .milliseconds(200)
        ) { [weak self] _ in
            self?.assumeIsolated { $0.strike(since: begin) }
        }
    }

    private func strike(since begin: NIODeadline) {
        switch NIODeadline.now() - begin {
        case ..<TimeAmount.seconds(10): send(BootText.stop("TERM"))
        case ..<TimeAmount.seconds(15): send(BootText.stop("HUP"))
        default: end(SSHError(.connectionLost, "the shell on the host does not answer any more"))
        }
    }

    // MARK: Bytes

    private func send(_ text: String) {
        outgoing.writeString(text)
        pump()
    }

    /// Moves what can be moved, both ways. Called when something is to be sent and whenever the wire wakes.
    private func pump() {
        // Sending may wake the wire at once.
        guard let channel, !isPumping else { return }
        guard !wire.isClosing else { return end(SSHConnection.closed) }
        isPumping = true
        defer { isPumping = false }
        do {
            try channel.write(&outgoing)
            for stream in ShellStream.allCases { try drain(stream, of: channel) }
            if let status = request?.status {
                request?.finish(status: status)
                request = nil
            }
            if let failure = wire.failure { throw failure }
            if channel.isAtEnd { throw ending }
        } catch {
            abandon(error)
        }
    }

    /// Why the host has ended the shell.
    private var ending: SSHError {
        guard let become, !isReady else { return BootFailure.ended(after: request?.result) }
        let words = request?.result.standardErrorText ?? ""
        return become.refusal(of: words, wasWrong: false, login: connection.user)
    }

    private func drain(_ stream: ShellStream, of channel: any ShellChannel) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 15, alignment: 1) { memory in
            while case let count = try channel.read(stream, into: memory), count > 0 {
                request?.receive(UnsafeRawBufferPointer(rebasing: memory[..<count]), from: stream)
                if let request, request.printsTooMuch { interrupt(request.id, .printedTooMuch) }
            }
        }
    }

    // MARK: Ending

    /// Tells the host that there is nothing more to come, and everyone here why.
    private func end(_ error: any Error) {
        guard let channel else { return }
        if request == nil {
            outgoing.writeString(BootText.farewell)
            try? channel.write(&outgoing)
        }
        channel.sendEnd()
        abandon(error)
    }

    private func abandon(_ error: any Error) {
        failure = error
        channel = nil
        heartbeat?.cancel()
        wire.observers[ObjectIdentifier(self)] = nil
        request?.fail(error)
        request = nil
    }
}
