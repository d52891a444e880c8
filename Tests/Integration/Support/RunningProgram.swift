import Subprocess

/// A program that runs while the test does something to it, or to the hosts.
struct RunningProgram: Sendable {
    private let execution: Execution<NoInput, SequenceOutput, StringOutput<UTF8>>

    func send(_ signal: Signal) throws { try execution.send(signal: signal) }

    /// Runs a program to its end.
    ///
    /// - Parameter onLine: called for each line of its standard output while it runs.
    static func run(
        _ command: [String], onLine: (String, RunningProgram) async throws -> Void
    ) async throws -> Command {
        let result = try await Subprocess.run(
            .name(command[0]), arguments: Arguments(Array(command.dropFirst())), input: .none, output: .sequence,
            error: .string(limit: 1 << 20)
        ) { execution in
            var lines: [String] = []
            for try await line in execution.standardOutput.strings() {
                lines.append(line)
                try await onLine(line, RunningProgram(execution: execution))
            }
            return lines
        }
        let status: Int =
            switch result.terminationStatus {
            case .exited(let code): Int(code)
            case .signaled(let signal): 128 + Int(signal)
            }
        return Command(
            status: status, output: result.closureResult.map { $0 + "\n" }.joined(), errors: result.standardError)
    }
}
