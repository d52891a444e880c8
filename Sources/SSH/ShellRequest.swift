import NIOCore

/// A request that was sent and has not been answered in full.
///
/// Used on one event loop only.
final class ShellRequest {
    /// Why a request is to end before its time.
    enum Interruption {
        case cancelled
        case timedOut(after: Duration)

        var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .timedOut(let time):
                SSHError(.timedOut, "the script took longer than \(time.readable) and was ended")
            }
        }
    }

    let id: RequestID
    var interruption: Interruption?
    /// Fires when the request has taken too long.
    var limit: Scheduled<Void>?
    /// Ends the script, again and again.
    var strikes: RepeatedTask?

    private let onOutput: (@Sendable (Output) -> Void)?
    private var continuation: CheckedContinuation<ShellResult, any Error>?
    private var outputScanner: MarkerScanner
    private var errorScanner: MarkerScanner
    private(set) var result = ShellResult(status: 0)

    init(
        _ id: RequestID, onOutput: (@Sendable (Output) -> Void)?,
        continuation: CheckedContinuation<ShellResult, any Error>
    ) {
        self.id = id
        self.onOutput = onOutput
        self.continuation = continuation
        outputScanner = MarkerScanner(id)
        errorScanner = MarkerScanner(id)
    }

    /// Takes what the host has sent.
    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ShellStream) {
        switch stream {
        case .output:
            let output = outputScanner.scan(bytes)
            result.standardOutput += output
            if !output.isEmpty { onOutput?(.standardOutput(output)) }
        case .error:
            let output = errorScanner.scan(bytes)
            result.standardError += output
            if !output.isEmpty { onOutput?(.standardError(output)) }
        }
    }

    /// The exit status, when both outputs have come to their end.
    var status: Int32? { errorScanner.status == nil ? nil : outputScanner.status }

    /// Answers who waits for the request. A script that had succeeded before it could be interrupted has succeeded.
    func finish(status: Int32) {
        result.status = status
        if let interruption, status != 0 {
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
