import Engine
import FoundationEssentials
import Synchronization

/// Tells programs what a run does: one ``EventLine`` for each event, as it happens.
final class EventStream: RunDisplay {
    private let write: @Sendable (TerminalText) -> Void
    private let clock: @Sendable () -> Date
    private let pending: ExitStatus
    /// Whether the first line is written. Several tasks report at once; lines must not be mixed.
    private let hasBegun = Mutex(false)

    /// - Parameters:
    ///   - pending: what the program exits with when changes are pending.
    ///   - clock: tells the time.
    ///   - write: takes whole lines.
    init(
        pending: ExitStatus = .changesPending, clock: @escaping @Sendable () -> Date = { .now },
        write: @escaping @Sendable (TerminalText) -> Void
    ) {
        self.pending = pending
        self.clock = clock
        self.write = write
    }

    func begin(_ heading: RunHeading) {
        hasBegun.withLock { hasBegun in
            hasBegun = true
            tell { EventLine(heading, at: $0) }
        }
    }

    func report(_ event: RunEvent) {
        var event = event
        if case .finished(var result) = event, result.status == .changesPending {
            result.status = pending
            event = .finished(result)
        }
        hasBegun.withLock { [event] _ in tell { EventLine(event, at: $0) } }
    }

    func end(_ ending: RunEnding) {
        guard let error = ending.error else { return }
        hasBegun.withLock { hasBegun in
            if !hasBegun { tell { EventLine(nil, at: $0) } }
            tell { EventLine(error: error, status: ending.status, at: $0) }
        }
    }

    private func tell(_ line: (Date) -> EventLine) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A number that JSON does not know is the only thing that cannot be told, and no event has one.
        guard let data = try? encoder.encode(line(clock())) else { return }
        write(TerminalText(json: data) + TerminalText("\n"))
    }
}
