/// How a run ended.
public struct RunResult: Sendable {
    /// The line of one host in the recap, in the field's words.
    public struct Recap: Sendable, Hashable {
        /// Resources that were in their declared state.
        public var ok = 0
        /// Resources that were changed.
        public var changed = 0
        public var unreachable = 0
        public var failed = 0
        /// Resources that were to be changed and were not, because something before them failed.
        public var skipped = 0
    }

    /// By host, in the order of the inventory.
    public var recaps: [(host: String, recap: Recap)]
    public var costs: [String: HostSession.Costs]
    public var status: ExitStatus
    /// Seconds from the first connection to the end.
    public var seconds: Double
}
