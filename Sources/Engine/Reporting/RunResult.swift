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

    /// What the whole run cost.
    public struct Costs: Sendable {
        /// By host.
        public var hosts: [String: HostCosts] = [:]
        /// Seconds of this machine's processors, from the first connection to the end.
        public var controllerSeconds = 0.0
        /// How many resources the plays have, over all hosts.
        public var resources = 0
    }

    /// By host, in the order of the inventory.
    public var recaps: [(host: String, recap: Recap)]
    /// The names of the hosts that could not be asked, so that the plan is without them.
    public var unasked: [String] = []
    public var costs = Costs()
    public var status: ExitStatus
    /// Seconds from the first connection to the end.
    public var seconds = 0.0
}

/// What a run cost on one host.
public struct HostCosts: Hashable, Sendable {
    /// How many connections were made and logged in to.
    public var connections = 0
    /// How many requests were sent and answered, beyond the one that makes the shell and takes the lock.
    public var exchanges = 0
    /// Bytes on the wire from here to the host, login included.
    public var bytesSent = 0
    /// Bytes on the wire from the host, login included.
    public var bytesReceived = 0
    /// Processes that came into being on the host during the exchanges, whoever made them: on a quiet host, ours.
    public var forks = 0

    public init() {}
}
