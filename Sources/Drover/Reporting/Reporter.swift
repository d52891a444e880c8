public import Inventory

/// Sees what a run does, as it happens. Called from several tasks at once.
public protocol Reporter: Sendable {
    func report(_ event: RunEvent)
}

/// Something that happened in a run.
public enum RunEvent: Sendable {
    case planned(Plan)
    case playBegan(name: String)
    case stepEnded(host: Host, step: HostPlan.Step, seconds: Double)
    case hostFailed(host: Host, HostFailure)
    case finished(RunResult)
}

/// Why a host's part of a play did not succeed.
public enum HostFailure: Sendable {
    /// A step failed; what it had printed, and the steps after it, which were not begun.
    case step(HostPlan.Step, status: Int32, output: [String], notBegun: [HostPlan.Step])
    /// The connection broke, or an answer made no sense.
    case session(any Error)
    /// All steps were carried out, but these resources still want changes.
    case notConverged([HostPlan.Step])
}
