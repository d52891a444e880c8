import Inventory

/// What the person asked for beyond the playbook's own options.
public struct RunOptions: Sendable {
    /// The names of the hosts that may be changed; nil for all.
    public var limit: Set<String>?
    /// Only plays with one of these tags; all plays when there are none.
    public var tags: Set<String> = []
    /// No plays with one of these tags.
    public var skippedTags: Set<String> = []
    /// On how many hosts work is done at the same time, at most.
    public var parallel = 64
    /// Whether to wait, without limit, for another run that holds a host.
    public var waitsForLock = false
    /// How many hosts may fail before no further play begins; nil for what the playbook says.
    public var failureBudget: FailureBudget?

    public init() {}

    /// Whether a host may be changed.
    func includes(_ host: Host) -> Bool { limit?.contains(host.name) ?? true }

    /// Whether a play is among those that the person chose.
    func selects(_ play: Play) -> Bool {
        play.tags.contains(Play.always)
            || ((tags.isEmpty || !tags.isDisjoint(with: play.tags)) && skippedTags.isDisjoint(with: play.tags))
    }
}

/// How many hosts may fail before a run begins no further play. A host that failed takes no part in the plays after it.
public enum FailureBudget: Hashable, Sendable {
    case hosts(Int)
    /// Of all hosts of the run, rounded down.
    case percent(Int)

    /// No host may fail.
    public static let none = FailureBudget.hosts(0)
    /// The others always go on.
    public static let unlimited = FailureBudget.percent(100)

    /// Reads `3` or `25%`; nil for anything else.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let percent = Int(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .percent(percent)
        } else {
            guard let hosts = Int(text), hosts >= 0 else { return nil }
            self = .hosts(hosts)
        }
    }

    /// Whether a run of `total` hosts goes on when `failed` of them have failed.
    func allows(_ failed: Int, of total: Int) -> Bool {
        switch self {
        case .hosts(let hosts): failed <= hosts
        case .percent(let percent): failed * 100 <= percent * total
        }
    }
}
