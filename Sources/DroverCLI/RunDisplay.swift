import Engine

/// Shows a run to somebody: on a terminal, as events, as a page.
protocol RunDisplay: Reporter {
    /// Called once, before any event, unless the program ends before it knows what it is to run.
    func begin(_ heading: RunHeading)

    /// Called once, after everything else.
    func end(_ ending: RunEnding)
}

/// How the program ends.
struct RunEnding: Hashable, Sendable {
    let status: ExitStatus
    /// What ended the run before its time, when something did: the text that people are told.
    var error: String?
}

extension ExitStatus {
    /// For people.
    var words: String {
        switch self {
        case .done: "done"
        case .wrongInput: "wrong input"
        case .changesPending: "changes pending"
        case .stepFailed: "failed"
        case .unreachable: "unreachable"
        case .loginRefused: "login refused"
        case .locked: "locked"
        case .stalePlan: "stale plan"
        case .notConverged: "not converged"
        case .refused: "refused"
        case .interrupted: "interrupted"
        }
    }
}
