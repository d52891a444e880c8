import DroverCLI
import FoundationEssentials
import PostgresCluster
import Synchronization

/// Observes a cluster again and again.
final class StatusWatch: Sendable {
    private let observer: ClusterObserver
    private let state = Mutex(WatchState())

    init(_ observer: ClusterObserver) { self.observer = observer }

    /// The pause between observations. One costs each host as much as a plan that changes nothing.
    private static let pause = Duration.seconds(5)

    /// An observation that failed, as JSON.
    struct Failure: Encodable {
        let error: String
        /// In seconds since 1970.
        let time: Int
    }

    /// Shows the cluster on the whole terminal until the person leaves.
    ///
    /// - Throws: `Diagnostic` when there is no terminal.
    func show() async throws {
        try await FullScreen.show { screen, events in
            let observing = Task {
                await self.observe { result in
                    self.state.withLock { $0.take(result, at: Self.now) }
                } onBegin: {
                    self.state.withLock { $0.begin(at: Self.now) }
                }
            }
            defer { observing.cancel() }
            draw(on: screen)
            for await event in events {
                guard event == .due else { return }
                draw(on: screen)
            }
        }
    }

    private func draw(on screen: FullScreen) {
        let view = WatchView(state: state.withLock { $0 }, now: Self.now)
        screen.draw { view.lines(width: $0, height: $1) }
    }

    /// Prints a line of JSON for each observation, until a signal ends it or nobody reads.
    func printJSON() async throws {
        try await Interrupts.untilInterrupted {
            await self.observe { result in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                switch result {
                case .success(let status): try? Terminal.print(json: status, by: encoder)
                case .failure(is CancellationError): break
                case .failure(let error):
                    try? Terminal.print(json: Failure(error: "\(error)", time: Self.now), by: encoder)
                }
            }
        }
    }

    private func observe(
        _ onResult: @Sendable (Result<ClusterStatus, any Error>) -> Void, onBegin: @Sendable () -> Void = {}
    ) async {
        while !Task.isCancelled, Terminal.hasReader {
            onBegin()
            do {
                onResult(.success(try await observer.observe()))
            } catch {
                onResult(.failure(error))
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }
}
