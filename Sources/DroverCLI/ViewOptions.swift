import ArgumentParser
import Engine

/// How a run is shown.
struct ViewOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show what changes in each file.")
    var diff = true

    @Flag(help: "Show what the run cost: the slowest steps, connections, exchanges, bytes, processes, processor time.")
    var stats = false

    @Flag(help: "Print events as JSON, one a line, and nothing else.")
    var json = false

    @Option(help: "Write a page about the run, in HTML, to this file.")
    var report: String?

    /// Runs `body` with what shows the run, and exits with the status it returns, or with the one that fits what it throws.
    ///
    /// - Parameters:
    ///   - command: `plan` or `apply`.
    ///   - pending: what stands for the status that changes are pending.
    func explained(
        _ command: String, pending: ExitStatus = .changesPending, _ body: (RunView) async throws -> ExitStatus
    ) async throws {
        try await Failure.explained {
            let view = RunView(self, command: command, pending: pending)
            return try await view.showing { try await body(view) }
        }
    }
}
