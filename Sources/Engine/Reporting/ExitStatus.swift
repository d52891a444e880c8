/// What the program says to its caller.
public enum ExitStatus: Int32, Sendable {
    /// Everything is done, or was so before.
    case done = 0
    /// The input is wrong; no host was contacted.
    case wrongInput = 1
    /// The plan has changes, or a cluster is not as it should be (only when asked to tell by the exit code).
    case changesPending = 2
    /// A step failed on a host.
    case stepFailed = 3
    /// A host is unreachable.
    case unreachable = 4
    /// A host key or the login was refused.
    case loginRefused = 5
    /// Another run holds a host.
    case locked = 6
    /// A host has moved since the plan that is to be carried out was saved.
    case stalePlan = 7
    /// Steps were carried out, but a resource is not in its declared state.
    case notConverged = 8
    /// A guard forbids to go on.
    case refused = 9
    /// The person interrupted the run.
    case interrupted = 130
}
