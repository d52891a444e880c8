import Engine
import Secrets

/// What a step has printed, as far as a person wants to read it.
enum StepOutput {
    /// How many lines are quoted: the last ones tell why it failed.
    private static let lineLimit = 40

    /// A program that fails may quote what it was given, so the secrets of the step are masked here too.
    static func lines(_ output: [String], of step: HostPlan.Step) -> [String] {
        let secrets = step.change.script.masked.pieces.flatMap { piece -> [String] in
            if case .secret(let secret) = piece { secret.reveal().linesOfText.filter { $0.count > 3 } } else { [] }
        }
        return output.suffix(lineLimit).map { line in
            Text.printable(secrets.reduce(line) { $0.replacing($1, with: Secret.mask) })
        }
    }
}
