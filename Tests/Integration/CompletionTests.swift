import Foundation
import Testing

/// The Tab key in bash, zsh and fish, each on a terminal of its own.
@Suite("Completion")
struct CompletionTests {
    @Test(
        "the Tab key completes playbooks, hosts and groups",
        arguments: [
            ("bash", "bash --norc --noprofile", ". ./script"),
            ("zsh", "zsh -f", "autoload -Uz compinit; compinit -u; . ./script"),
            ("fish", "fish --no-config", "source ./script"),
        ])
    func completes(name: String, shell: String, load: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drover-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = try await Drover.run("--generate-completion-script", name)
        try #require(script.status == 0, "\(script.everything)")
        try script.output.write(toFile: "\(folder)/script", atomically: true, encoding: .utf8)
        try "[elsewhere]\npg1\nrouter\n".write(toFile: "\(folder)/hosts.ini", atomically: true, encoding: .utf8)

        for (typed, wanted) in [
            ("drover apply point", "drover apply point-in-time-recovery"),
            ("drover facts -i hosts.ini rou", "drover facts -i hosts.ini router"),
            ("drover run -i hosts.ini pg1,else", "drover run -i hosts.ini pg1,elsewhere"),
        ] {
            let terminal = Terminal(folder: folder)
            try await terminal.open(shell)
            // Typed in two parts, so that only the output matches.
            try await terminal.send("-l", "\(load); echo lo''aded")
            try await terminal.send("Enter")
            try await terminal.await("loaded")
            try await terminal.send("-l", typed)
            try await terminal.send("Tab")
            try await terminal.await(wanted)
            try await terminal.close()
        }
    }
}

/// A terminal with a shell in it, without a screen.
private struct Terminal {
    let folder: String
    /// A server of its own: one that ends could still take the next session.
    private let socket = "\(UUID().uuidString).socket"

    init(folder: String) { self.folder = folder }

    private func tmux(_ words: [String]) async throws -> String {
        let result = try await Command.run(["tmux", "-S", "\(folder)/\(socket)", "-f", "/dev/null"] + words)
        try #require(result.status == 0, "\(result.everything)")
        return result.output
    }

    func open(_ shell: String) async throws {
        let programs = URL(filePath: Drover.program).deletingLastPathComponent().path
        let command = "env PATH=\(programs):$PATH HOME=\(folder) \(shell)"
        _ = try await tmux(["new-session", "-d", "-x", "120", "-y", "40", "-c", folder, command])
    }

    func send(_ words: String...) async throws { _ = try await tmux(["send-keys"] + words) }

    func close() async throws { _ = try await tmux(["kill-server"]) }

    /// Waits until a text is on the screen.
    func await(_ text: String) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var screen = ""
        while !screen.contains(text), ContinuousClock.now < deadline {
            screen = try await tmux(["capture-pane", "-p"])
        }
        if screen.contains(text) { return }
        try await close()
        throw Missing(text: text, screen: screen)
    }

    /// The text that did not appear, and the screen.
    struct Missing: Error {
        let text: String
        let screen: String
    }
}
