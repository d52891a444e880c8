import Subprocess
import SystemPackage

/// A program that a test runs, and what it said.
struct Command {
    let status: Int
    let output: String
    let errors: String

    /// Both outputs, for a failed expectation.
    var everything: String { output + errors }

    /// Runs a program to its end.
    static func run(_ words: [String]) async throws -> Command {
        let result = try await Subprocess.run(
            words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0]), arguments: Arguments(Array(words.dropFirst())), output: .string(limit: 1 << 22),
            error: .string(limit: 1 << 22))
        let status: Int =
            switch result.terminationStatus {
            case .exited(let code): Int(code)
            case .signaled(let signal): 128 + Int(signal)
            }
        return Command(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
