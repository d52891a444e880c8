import Inventory
import SSH
import Secrets

/// The way to one host for the whole run: one login, one shell, one exchange for whatever is to be known or done. A
/// connection that is lost is made again.
actor HostSession {
    nonisolated let host: Host
    private let purpose: Sessions.Purpose
    private let context: RunContext
    private let patience: Patience
    private var line: Line?
    private var costs = HostCosts()
    /// How many exchanges have carried out steps.
    private var batches = 0

    /// How long a lost host is tried to be reached again, and how often at most.
    struct Patience: Sendable {
        let time: Duration
        let connections: Int

        /// A step that cuts the line each time it is begun anew must not go on for ever.
        static let long = Patience(time: .seconds(300), connections: 10)
        /// For what is asked again soon anyway.
        static let none = Patience(time: .zero, connections: 0)
    }

    init(_ host: Host, for purpose: Sessions.Purpose, context: RunContext, patience: Patience = .long) {
        self.host = host
        self.purpose = purpose
        self.context = context
        self.patience = patience
    }

    /// Connects.
    ///
    /// - Throws: `SSHError` when the host cannot be reached, or is locked and the person does not want to wait.
    func open() async throws {
        enter(.connecting)
        try await connect(waits: context.options.waitsForLock)
        enter(.waiting)
    }

    func close() async {
        await hangUp()
    }

    /// Asks all questions in one exchange.
    ///
    /// - Throws: `SSHError` when the connection is lost for good, ``UnreadableAnswer`` when an answer makes no sense.
    func gather(_ requests: FactRequests, as phase: HostPhase = .gathering) async throws -> Facts {
        enter(phase)
        defer { enter(.waiting) }
        let script = GatherScript(requests, nonce: Nonce.make())
        let result = try await surviving { try await $0.run(script.text.reveal(), whenAbandoned: .look) }
        let (facts, forks) = try script.read(result.standardOutputText)
        costs.forks += forks
        return facts
    }

    /// How steps came to their end.
    enum End: Sendable {
        /// The script has ended, and the events tell of its steps.
        case told(status: Int32)
        /// The connection was lost and made again; the host's journal tells what became of each step.
        case lost(statuses: [Int: Int32?])
    }

    /// Carries out steps in one exchange, and hands on what they tell while they run.
    ///
    /// - Throws: `SSHError` when the connection is lost for good, `CancellationError` when the steps were ended.
    func apply(_ steps: [HostPlan.Step], onEvent: (ApplyOutput.Event) -> Void) async throws -> End {
        enter(.applying)
        defer { enter(.waiting) }
        try await deliver(steps.flatMap(\.change.deliveries)) {
            context.reporter.report(.stepProgressed(host: host, text: $0))
        }
        batches += 1
        let journal = JournalScript(run: context.identity, batch: batches)
        do {
            return .told(status: try await run(ApplyScript(steps, journal: journal, nonce: Nonce.make()), onEvent))
        } catch let error as SSHError where error.code == .connectionLost {
            try await reconnect(after: error)
            return .lost(statuses: try await statuses(of: journal))
        }
    }

    /// Runs a shell text once.
    ///
    /// - Returns: its exit status.
    /// - Throws: `SSHError` when the connection is lost, `CancellationError` when it was ended.
    func run(_ script: ShellText, onOutput: @escaping @Sendable (Output) -> Void) async throws -> Int32 {
        try await openShell.run(script.reveal(), onOutput: onOutput).status
    }

    /// Who has logged in where; empty before that.
    var login: String { line?.connection.login ?? "" }

    var costsSoFar: HostCosts {
        get async {
            var costs = costs
            if let line { costs.add(await line.connection.statistics) }
            return costs
        }
    }

    // MARK: Exchanges

    private func run(_ script: ApplyScript, _ onEvent: (ApplyOutput.Event) -> Void) async throws -> Int32 {
        let shell = try openShell
        let (output, continuation) = AsyncStream<[UInt8]>.makeStream()
        costs.exchanges += 1
        async let result: ShellResult = context.interruption.watching {
            Task { await shell.halt() }
        } during: {
            defer { continuation.finish() }
            return try await shell.run(
                script.text.reveal(), whenAbandoned: script.mustFinish ? .finish : .end
            ) { if case .standardOutput(let bytes) = $0 { continuation.yield(bytes) } }
        }
        var reader = ApplyOutput(nonce: script.nonce)
        func tell(_ events: [ApplyOutput.Event]) {
            for event in events {
                if case .forked(let count) = event { costs.forks += count } else { onEvent(event) }
            }
        }
        for await bytes in output { tell(reader.read(bytes)) }
        tell(reader.finish())
        return try await result.status
    }

    /// The statuses of the steps that were begun, by their place; nil for one that did not come to its end.
    private func statuses(of journal: JournalScript) async throws -> [Int: Int32?] {
        let text = try await surviving { try await $0.run(journal.printing.reveal(), whenAbandoned: .look) }
            .standardOutputText
        let steps = Journal(text)?.steps.filter { $0.position.batch == journal.batch } ?? []
        return Dictionary(steps.map { ($0.position.index, $0.status) }, uniquingKeysWith: { _, last in last })
    }

    /// Runs something that may be run twice, again and again until the connection holds.
    func surviving(_ body: (RemoteShell) async throws -> ShellResult) async throws -> ShellResult {
        while true {
            do {
                costs.exchanges += 1
                return try await body(openShell)
            } catch let error as SSHError where error.code == .connectionLost {
                try await reconnect(after: error)
            }
        }
    }

    /// - Throws: `CancellationError` when the person wants the run to end.
    func checkInterruption() throws {
        if context.interruption.isRequested { throw CancellationError() }
        try Task.checkCancellation()
    }

    private var openShell: RemoteShell {
        get throws {
            guard let line else { throw SSHError(.connectionLost, "the connection was not made") }
            return line.shell
        }
    }

    // MARK: Connecting

    private func connect(waits: Bool) async throws {
        line = try await Line.open(host, for: purpose, settings: context.settings, waits: waits) {
            enter(.waitingForLock(holder: $0))
        }
        costs.connections += 1
    }

    /// - Throws: the error for which the connection was lost, or the last one met while making it again.
    private func reconnect(after loss: SSHError) async throws {
        await hangUp()
        guard costs.connections < patience.connections else { throw loss }
        enter(.reconnecting(reason: loss.message))
        let deadline = ContinuousClock.now + patience.time
        while true {
            if context.interruption.isRequested { throw loss }
            do {
                // The lock is given up when what was running has ended: at once, or when a package is installed.
                return try await connect(waits: true)
            } catch let error as SSHError where error.isTransient && ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    private func hangUp() async {
        guard let line else { return }
        self.line = nil
        await line.shell.close()
        costs.add(await line.connection.statistics)
        await line.connection.close()
    }

    private nonisolated func enter(_ phase: HostPhase) {
        context.reporter.report(.hostEntered(host: host, phase))
    }
}

extension HostCosts {
    fileprivate mutating func add(_ statistics: SSHStatistics) {
        bytesSent += statistics.bytesSent
        bytesReceived += statistics.bytesReceived
    }
}

extension SSHError {
    /// Whether a host that starts anew may be like this for a while.
    fileprivate var isTransient: Bool {
        [.unreachable, .connectionLost, .timedOut, .loginRefused].contains(code)
    }
}
