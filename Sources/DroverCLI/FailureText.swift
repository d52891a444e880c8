import Drover

/// What failed on a host: the step, what it said, and what was left undone because of it.
struct FailureText {
    let host: String
    let failure: HostFailure
    let style: Style

    /// How many lines of a step's output are quoted: the last ones tell why it failed.
    private static let quotedLines = 40

    var lines: [String] {
        switch failure {
        case .step(let step, let status, let output, let notBegun):
            [failed("\(step.change.summary) (\(step.resource), exit status \(status))")]
                + output.suffix(FailureText.quotedLines).map { "      \($0)" }
                + notBegun.map { "    not begun: \($0.change.summary)" }
        case .session(let error): [failed("\(error)")]
        case .notConverged(let steps):
            [failed("done, but not as declared; still to change:")]
                + steps.map { "      \($0.resource): \($0.change.summary)" }
        case .interrupted(let step, let notBegun):
            [failed("interrupted" + (step.map { " while it was at: \($0.change.summary)" } ?? ""))]
                + notBegun.map { "    not begun: \($0.change.summary)" }
        case .moved(let steps):
            [failed("the host has moved during the run: it wants steps that the plan does not have")]
                + steps.map { "      \($0)" }
        }
    }

    private func failed(_ text: String) -> String {
        "  \(style.red("✗")) \(host): \(text)"
    }
}
