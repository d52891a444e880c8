import Foundation
import Testing

/// A terminal with a program in it, without a screen that anybody sees.
struct TestTerminal {
    let folder: String
    /// A server of its own: one that ends could still take the next session.
    private let socket = "\(UUID().uuidString).socket"

    init(folder: String) { self.folder = folder }

    private func tmux(_ words: [String]) async throws -> String {
        let result = try await Command.run(["tmux", "-S", "\(folder)/\(socket)", "-f", "/dev/null"] + words)
        try #require(result.status == 0, "\(result.everything)")
        return result.output
    }

    /// - Parameter size: in columns and lines.
    func open(_ command: String, size: (width: Int, height: Int) = (120, 40)) async throws {
        _ = try await tmux([
            "new-session", "-d", "-x", String(size.width), "-y", String(size.height), "-c", folder, command,
        ])
    }

    func send(_ words: String...) async throws { _ = try await tmux(["send-keys"] + words) }

    func close() async throws { _ = try await tmux(["kill-server"]) }

    /// Waits until a text is on the screen.
    ///
    /// - Returns: the screen.
    @discardableResult
    func await(_ text: String, seconds: Int = 30) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var screen = ""
        while !screen.contains(text), ContinuousClock.now < deadline {
            screen = try await tmux(["capture-pane", "-p"])
            // What it waits for runs on the same processors.
            try await Task.sleep(for: .milliseconds(100))
        }
        if screen.contains(text) { return screen }
        try await close()
        throw Missing(text: text, screen: screen)
    }

    /// The text that did not appear, and the screen.
    struct Missing: Error {
        let text: String
        let screen: String
    }
}
