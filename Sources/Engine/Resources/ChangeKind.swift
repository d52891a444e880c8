extension Change {
    /// What a change does to the thing that it is about. The plan marks each kind with a sign of its own.
    public enum Kind: String, Hashable, Sendable {
        /// Something exists, runs or is enabled afterwards that did not before.
        case create
        /// Something that exists gets another content, setting or state.
        case change
        /// Something does not exist any more afterwards, at least not where it was.
        case remove
        /// Something that runs is restarted or reloaded.
        case restart
        /// Something that runs does not run any more afterwards.
        case stop
        /// Nothing changes: the step waits, or checks.
        case wait
    }
}
