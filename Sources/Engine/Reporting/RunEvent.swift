public import Inventory

/// Something that happened in a run.
public enum RunEvent: Sendable {
    /// A host is busy with something else now.
    case hostEntered(host: Host, HostPhase)
    /// All hosts were asked, and this is to be done.
    case planned(Plan)
    case playBegan(name: String)
    /// A step begins on a host: the `number`th, from 1, of `count` in this play there.
    case stepBegan(host: Host, play: String, step: HostPlan.Step, number: Int, count: Int)
    /// How far the running step of a host is, in its own words.
    case stepProgressed(host: Host, text: String)
    /// What the running step of a host has found out for the person: one line.
    case stepTold(host: Host, text: String)
    /// A step has ended well.
    case stepEnded(host: Host, play: String, step: HostPlan.Step, seconds: Double)
    case hostFailed(host: Host, HostFailure)
    /// The person asked to stop: running steps end, no further ones begin.
    case stopping
    case finished(RunResult)
}

/// What a host is busy with.
public enum HostPhase: Hashable, Sendable {
    case connecting
    /// Another run holds the host; who, and since when.
    case waitingForLock(holder: String)
    case gathering
    case applying
    case verifying
    /// The connection was lost, and why.
    case reconnecting(reason: String)
    /// Nothing for now: its part of the play is done, or it waits for its turn.
    case waiting
}

/// Why a host's part of a run did not succeed.
public enum HostFailure: Sendable {
    /// A step failed; what it had printed, and the steps after it, which were not begun.
    case step(HostPlan.Step, status: Int32, output: [String], notBegun: [HostPlan.Step])
    /// The connection broke, or an answer made no sense.
    case session(any Error)
    /// All steps were carried out, but these resources still want changes.
    case notConverged([HostPlan.Step])
    /// The person interrupted it: the step that was ended in its middle, if there was one, and those not begun.
    case interrupted(during: HostPlan.Step?, notBegun: [HostPlan.Step])
    /// The host wants steps that the plan which is carried out does not have.
    case moved([String])
}
