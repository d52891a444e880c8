package import Engine
import UnixSignals

/// Ctrl-C and its like during a run: the first one lets running steps end, the second one ends them, and the third one ends
/// this program.
package enum Interrupts {
    /// Runs `body`, and has it interrupted by the signals that end a program.
    package static func guarding<Value: Sendable>(
        _ interruption: Interruption, reporter: any Reporter = Reporters([]),
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let work = Task { try await body() }
        let watch = Task {
            for await _ in signals {
                if work.isCancelled {
                    ProgramEnd.end(ExitStatus.interrupted.rawValue)
                } else if interruption.isRequested {
                    work.cancel()
                } else {
                    reporter.report(.stopping)
                    interruption.request()
                }
            }
        }
        defer { watch.cancel() }
        return try await work.value
    }

    /// Runs `body`, which goes on until it is cancelled: by the first signal that ends a program. The second one ends this
    /// program.
    package static func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let work = Task { try await body() }
        let watch = Task {
            for await _ in signals {
                if work.isCancelled { ProgramEnd.end(ExitStatus.interrupted.rawValue) }
                work.cancel()
            }
        }
        defer { watch.cancel() }
        try await work.value
    }
}
