public import Inventory
import SSH

/// One command on many hosts: nothing is declared, planned or verified by it, and no host is locked. A host that fails does
/// not keep the others from doing their part.
public struct HostCommand: Sendable {
    /// What a host prints.
    public enum Stream: Hashable, Sendable {
        case standardOutput, standardError
    }

    private let script: @Sendable (Host) -> ShellText
    private let context: RunContext

    /// - Parameters:
    ///   - script: a shell text. It ends with the connection.
    ///   - parallel: on how many hosts it runs at the same time, at most.
    public init(_ script: ShellText, settings: ConnectionSettings, parallel: Int, interruption: Interruption) {
        self.init(settings: settings, parallel: parallel, interruption: interruption) { _ in script }
    }

    /// - Parameters:
    ///   - parallel: on how many hosts it runs at the same time, at most.
    ///   - script: a shell text for each host. It ends with the connection.
    public init(
        settings: ConnectionSettings, parallel: Int, interruption: Interruption,
        script: @escaping @Sendable (Host) -> ShellText
    ) {
        self.script = script
        var options = RunOptions()
        options.parallel = parallel
        context = RunContext(
            identity: .new(of: "run"), options: options, settings: settings, interruption: interruption,
            reporter: Reporters([]))
    }

    /// Runs it. The wish to interrupt it ends it on all hosts.
    ///
    /// - Parameters:
    ///   - onEnd: called when the command has ended on a host; it must not block.
    ///   - onOutput: called with each piece of output as it arrives; it must not block.
    /// - Returns: for each host its exit status, or why there is none, in the order of the hosts.
    /// - Throws: `CancellationError` when it was interrupted.
    public func run(
        on hosts: [Host], onEnd: @escaping @Sendable (Host, Result<Int32, any Error>) -> Void = { _, _ in },
        onOutput: @escaping @Sendable (Host, Stream, [UInt8]) -> Void
    ) async throws -> [(host: Host, outcome: Result<Int32, any Error>)] {
        let outcomes = try await context.interruption.cancelling {
            await concurrently(hosts, atMost: context.options.parallel) { host in
                let session = HostSession(host, for: .observe, context: context)
                let outcome = await Result(catching: {
                    try await session.open()
                    return try await session.run(script(host)) { output in
                        switch output {
                        case .standardOutput(let bytes): onOutput(host, .standardOutput, bytes)
                        case .standardError(let bytes): onOutput(host, .standardError, bytes)
                        }
                    }
                })
                await session.close()
                onEnd(host, outcome)
                return outcome
            }
        }
        return Array(zip(hosts, outcomes))
    }
}
