public import Inventory
import SSH
import Secrets

/// The connection to one host for the whole run: one login, one shell, one exchange for whatever is to be known or
/// done.
public struct HostSession: Sendable {
    /// What a session cost.
    public struct Costs: Hashable, Sendable {
        /// How many connections were made and logged in to.
        public var connections: Int
        /// How many requests were sent and answered.
        public var exchanges: Int
        /// Bytes on the wire from here to the host, login included.
        public var bytesSent: Int
        /// Bytes on the wire from the host, login included.
        public var bytesReceived: Int
    }

    public let host: Host
    private let connection: SSHConnection
    private let shell: RemoteShell
    private let exchanges = Counter()

    init(host: Host, connection: SSHConnection, shell: RemoteShell) {
        self.host = host
        self.connection = connection
        self.shell = shell
    }

    /// Asks all questions in one exchange.
    ///
    /// - Throws: `SSHError` when the connection is lost, ``UnreadableAnswer`` when an answer makes no sense.
    func gather(_ requests: FactRequests) async throws -> Facts {
        let script = GatherScript(requests, nonce: Nonce.make())
        exchanges.increment()
        let result = try await shell.run(script.text)
        return try script.facts(from: result.standardOutputText)
    }

    /// Carries out steps in one exchange, and hands on what they tell while they run.
    ///
    /// - Returns: the exit status of the step that failed, or 0.
    /// - Throws: `SSHError` when the connection is lost.
    func apply(_ steps: [HostPlan.Step], onEvent: (ApplyOutput.Event) -> Void) async throws -> Int32 {
        let nonce = Nonce.make()
        let script = ApplyScript(steps, nonce: nonce)
        exchanges.increment()
        let (output, continuation) = AsyncStream<[UInt8]>.makeStream()
        async let result = run(script, outputTo: continuation)
        var reader = ApplyOutput(nonce: nonce)
        for await bytes in output {
            reader.read(bytes).forEach(onEvent)
        }
        reader.finish().forEach(onEvent)
        return try await result.status
    }

    func close() async {
        await connection.close()
    }

    public var costs: Costs {
        get async {
            let statistics = await connection.statistics
            return Costs(
                connections: 1, exchanges: exchanges.value, bytesSent: statistics.bytesSent,
                bytesReceived: statistics.bytesReceived)
        }
    }

    private func run(
        _ script: ApplyScript, outputTo continuation: AsyncStream<[UInt8]>.Continuation
    ) async throws -> ShellResult {
        defer { continuation.finish() }
        return try await shell.run(script.text.reveal(), whenAbandoned: script.mustFinish ? .finish : .end) { output in
            if case .standardOutput(let bytes) = output { continuation.yield(bytes) }
        }
    }
}
