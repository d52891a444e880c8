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
            let terminal = TestTerminal(folder: folder)
            let programs = URL(filePath: Drover.program).deletingLastPathComponent().path
            try await terminal.open("env PATH=\(programs):$PATH HOME=\(folder) \(shell)")
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
