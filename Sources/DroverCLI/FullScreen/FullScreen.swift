import Diagnostics
import Synchronization
import SystemPackage
import UnixSignals

/// The whole terminal, for a view that is brought up to date until a person has seen enough.
package final class FullScreen: Sendable {
    /// Something that calls for another look at the view, or for its end.
    package enum Event: Sendable {
        /// A second has passed, or the terminal has another size.
        case due
        /// The person wants to leave.
        case left
    }

    private struct State {
        var frame: ScreenFrame?
        var size = (width: 0, height: 0)
    }

    private let style: Style
    private let state = Mutex(State())

    private init(style: Style) { self.style = style }

    /// Shows a view until `body` returns. The terminal is then as it was before, whatever `body` throws.
    ///
    /// `q` is a wish to leave when the standard input is a terminal; the signals that end a program are one anyway.
    ///
    /// - Parameter body: gets the screen, and what happens to it.
    /// - Throws: `Diagnostic` when the standard output is no terminal whose cursor can be moved.
    package static func show(
        _ body: (FullScreen, AsyncStream<Event>) async throws -> Void
    ) async throws {
        guard Terminal.hasCursor else {
            throw Diagnostic(
                "--watch needs a terminal, and the standard output is none whose cursor can be moved",
                remedy: "add --json, which prints a line for each observation")
        }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit, .sigwinch)
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let watch = Task {
            for await signal in signals { continuation.yield(signal == .sigwinch ? .due : .left) }
        }
        let clock = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                continuation.yield(.due)
            }
        }
        let keyboard = Keyboard.open { if $0 == UInt8(ascii: "q") { continuation.yield(.left) } }
        Terminal.write(.takingScreen, to: .standardOutput)
        defer {
            watch.cancel()
            clock.cancel()
            Terminal.write(.leavingScreen, to: .standardOutput)
            keyboard?.close()
        }
        try await body(FullScreen(style: Style(isColoured: Terminal.hasColours)), events)
    }

    /// Writes what a view shows now, unless that stands there already.
    ///
    /// - Parameter view: makes the lines for a size, in columns and lines.
    package func draw(_ view: (_ width: Int, _ height: Int) -> [ScreenLine]) {
        let size = Terminal.size
        let frame = ScreenFrame(view(size.width, size.height), size: size, style: style)
        state.withLock { state in
            guard frame != state.frame || size != state.size else { return }
            (state.frame, state.size) = (frame, size)
            Terminal.write(.over(frame.rows), to: .standardOutput)
        }
    }
}
