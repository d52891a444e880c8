import NIOCore

/// A request that was sent and has not been answered in full.
///
/// Used on one event loop only.
final class ShellRequest {
    /// Why a request is to end before its time.
    enum Interruption {
        case cancelled
        case timedOut(after: Duration)
        case printedTooMuch

        var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .timedOut(let time):
                SSHError(.timedOut, "the script took longer than \(time.readable) and was ended")
            case .printedTooMuch:
                SSHError(
                    .protocolFailure,
                    "the script printed more than \(ShellRequest.greatestOutput / 1_048_576) MB and was ended")
            }
        }
    }

    let id: RequestID
    var interruption: Interruption?
    /// Fires when the request has taken too long.
    var limit: Scheduled<Void>?
    /// Ends the script, again and again.
    var strikes: RepeatedTask?

    /// How much of an output is kept for those who wait for all of it, in bytes.
    static let greatestOutput = 64 * 1_048_576
    /// How much is kept of what was handed on already.
    private static let greatestEnd = 65_536

    private let onOutput: (@Sendable (Output) -> Void)?
    private var continuation: CheckedContinuation<ShellResult, any Error>?
    private var outputScanner: MarkerScanner
    private var errorScanner: MarkerScanner
    private var output: KeptOutput
    private var errorOutput: KeptOutput

    init(
        _ id: RequestID, onOutput: (@Sendable (Output) -> Void)?,
        continuation: CheckedContinuation<ShellResult, any Error>
    ) {
        self.id = id
        self.onOutput = onOutput
        self.continuation = continuation
        let policy: KeptOutput.Policy = onOutput == nil ? .whole(limit: Self.greatestOutput) : .end(Self.greatestEnd)
        output = KeptOutput(policy)
        errorOutput = KeptOutput(policy)
        outputScanner = MarkerScanner(id)
        errorScanner = MarkerScanner(id)
    }

    /// Takes what the host has sent.
    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ShellStream) {
        switch stream {
        case .output:
            let new = outputScanner.scan(bytes)
            output.append(new)
            if !new.isEmpty { onOutput?(.standardOutput(new)) }
        case .error:
            let new = errorScanner.scan(bytes)
            errorOutput.append(new)
            if !new.isEmpty { onOutput?(.standardError(new)) }
        }
    }

    /// Whether the script prints more than anybody waits for.
    var printsTooMuch: Bool { output.isTooLong || errorOutput.isTooLong }

    /// What the script has printed so far.
    var result: ShellResult { ShellResult(status: 0, standardOutput: output.bytes, standardError: errorOutput.bytes) }

    /// The exit status, when both outputs have come to their end.
    var status: Int32? { errorScanner.status == nil ? nil : outputScanner.status }

    /// Answers who waits for the request. A script that had succeeded before it could be interrupted has succeeded, unless
    /// a part of its output is missing.
    func finish(status: Int32) {
        var result = result
        result.status = status
        if printsTooMuch {
            resume(.failure(Interruption.printedTooMuch.error))
        } else if let interruption, status != 0 {
            resume(.failure(interruption.error))
        } else {
            resume(.success(result))
        }
    }

    func fail(_ error: any Error) {
        resume(.failure(error))
    }

    private func resume(_ outcome: Result<ShellResult, any Error>) {
        limit?.cancel()
        strikes?.cancel()
        continuation?.resume(with: outcome)
        continuation = nil
    }
}
