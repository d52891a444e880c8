/// Where a recovery ends.
public struct RecoveryTarget: Hashable, Sendable {
    /// A point at which replay of WAL stops.
    public enum Point: Hashable, Sendable {
        case time(Moment)
        case position(LogPosition)
        /// The number of a transaction.
        case transaction(UInt64)
        /// What `pg_create_restore_point` was given.
        case name(String)
        /// The end of a backup: the first moment at which it is consistent.
        case immediate
        /// The end of the archive.
        case latest
    }

    public let point: Point
    /// Whether it ends just before the point and not just behind it.
    public let isExclusive: Bool
    /// The timeline on which the point lies; nil for the one that the cluster is on.
    public let timeline: Int?
    /// The label of the backup to begin with; nil for the newest that leads there.
    public let backup: String?

    public init(_ point: Point, isExclusive: Bool = false, timeline: Int? = nil, backup: String? = nil) {
        self.point = point
        self.isExclusive = isExclusive
        self.timeline = timeline
        self.backup = backup
    }

    /// In one line, so that two are the same when this is: what a host remembers.
    var text: String {
        var words: [String] =
            switch point {
            case .time(let moment): ["time \(moment.literal)"]
            case .position(let position): ["lsn \(position)"]
            case .transaction(let number): ["xid \(number)"]
            case .name(let name): ["name \(name)"]
            case .immediate: ["immediate"]
            case .latest: ["latest"]
            }
        if isExclusive { words.append("exclusive") }
        if let timeline { words.append("timeline \(timeline)") }
        if let backup { words.append("backup \(backup)") }
        return words.joined(separator: ", ")
    }

    /// For people: `2026-11-22 15:04:05 UTC`.
    public var words: String {
        let words =
            switch point {
            case .time(let moment): "\(moment)"
            case .position(let position): "the log position \(position)"
            case .transaction(let number): "the transaction \(number)"
            case .name(let name): "the restore point '\(name)'"
            case .immediate: "the end of the backup"
            case .latest: "the end of the archive"
            }
        return (isExclusive ? "just before " : "") + words
    }

    /// The parameters of PostgreSQL that say it, without the timeline. The end of the archive is none: who recovers stays
    /// there as a standby does.
    var parameters: [(name: String, value: String)] {
        let target: (String, String)? =
            switch point {
            case .time(let moment): ("recovery_target_time", moment.literal)
            case .position(let position): ("recovery_target_lsn", "\(position)")
            case .transaction(let number): ("recovery_target_xid", "\(number)")
            case .name(let name): ("recovery_target_name", name)
            case .immediate: ("recovery_target", "immediate")
            case .latest: nil
            }
        return target.map {
            [$0, ("recovery_target_inclusive", isExclusive ? "off" : "on"), ("recovery_target_action", "pause")]
        } ?? []
    }

    /// Whether who has recovered to `other` comes to this by only going on. Of two points of different kinds nobody knows.
    func isForward(of other: RecoveryTarget) -> Bool {
        guard timeline == other.timeline, backup == other.backup || backup == nil else { return false }
        return switch (other.point, point) {
        case (.time(let before), .time(let now)): now > before || (now == before && other.isExclusive)
        case (.position(let before), .position(let now)): now > before || (now == before && other.isExclusive)
        case (.immediate, _), (_, .latest): true
        default: false
        }
    }
}
