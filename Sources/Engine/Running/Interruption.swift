import Synchronization

/// The person's wish to end a run before its time.
///
/// Asked once, steps that are running end, and no further ones begin. Asked twice, what runs on the hosts is ended.
public final class Interruption: Sendable {
    private struct State {
        var isRequested = false
        var nextKey = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether no further step is to begin.
    public var isRequested: Bool { state.withLock(\.isRequested) }

    /// Asks that no further step begins.
    public func request() {
        let handlers = state.withLock { state in
            state.isRequested = true
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Runs `body`, and calls `handler` when the wish is uttered meanwhile, or was before.
    func watching<Value>(
        by handler: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        let (key, isRequested) = state.withLock { state in
            state.nextKey += 1
            state.handlers[state.nextKey] = handler
            return (state.nextKey, state.isRequested)
        }
        defer { state.withLock { _ = $0.handlers.removeValue(forKey: key) } }
        if isRequested { handler() }
        return try await body()
    }
}

extension Interruption {
    /// Runs `body` as a task that is cancelled when the wish is uttered: for what changes nothing on any host.
    func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        return try await withTaskCancellationHandler {
            let result = await watching(by: { task.cancel() }, during: { await task.result })
            if isRequested { throw CancellationError() }
            return try result.get()
        } onCancel: {
            task.cancel()
        }
    }
}
