import Foundation
import Subprocess
import Testing

/// A program that a test runs, and what it said.
struct Command {
    let status: Int
    let output: String
    let errors: String

    /// Both outputs, for a failed expectation.
    var everything: String { output + errors }

    /// The words of `--confirm` that a plan of a removal prints.
    var confirmation: String {
        get throws {
            let words = output.linesOfOutput.compactMap { line in
                line.range(of: "--confirm ").map { String(line[$0.upperBound...]) }
            }
            return try #require(words.first, "\(everything)")
        }
    }

    /// More than any command takes, in seconds, also on a machine that does much else.
    static let limit = 600

    /// Runs a program to its end. One that takes longer than such commands ever do hangs, and is ended with status 124.
    static func run(_ command: [String], seconds: Int = limit) async throws -> Command {
        let words = ["timeout", "--kill-after=5", String(seconds)] + command
        let result = try await Subprocess.run(
            .name(words[0]), arguments: Arguments(Array(words.dropFirst())), output: .string(limit: 1 << 22),
            error: .string(limit: 1 << 22))
        let status: Int =
            switch result.terminationStatus {
            case .exited(let code): Int(code)
            case .signaled(let signal): 128 + Int(signal)
            }
        return Command(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
