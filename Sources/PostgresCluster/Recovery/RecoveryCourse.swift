import Engine

/// How a target is reached: from which backup, on which timeline; and what it costs.
struct RecoveryCourse: Hashable, Sendable {
    let backup: PgBackRestInfo.Backup
    /// On which timelines the target is looked for, one after the other. PostgreSQL must be told the one on which the target
    /// lies, and not a later one that this one leads to: it would note that it has come from that.
    let timelines: [Int]
    /// What is shown before anything is done: the course, and what is lost.
    let sentences: [String]
}

extension RecoveryCourse {
    /// Computes the course.
    ///
    /// - Throws: `Refusal` when the archive does not hold the target.
    init(to target: RecoveryTarget, on ground: RecoveryGround) throws {
        let timeline = target.timeline ?? ground.timelines.current
        guard ground.timelines.known.contains(timeline) else {
            let list = ground.timelines.known.sorted().map(String.init).joined(separator: ", ")
            throw Refusal("there is no timeline \(timeline)", remedies: ["the cluster has had these: \(list)"])
        }
        let candidates = ground.candidates(on: timeline)
        if let label = target.backup, !ground.backups.contains(where: { $0.label == label }) {
            throw Refusal(
                "there is no backup '\(label)'", remedies: ["`drover backup list` has all that there are"])
        }
        guard let oldest = candidates.first else {
            throw Refusal(
                "no backup leads to timeline \(timeline)", remedies: ["`drover backup list` has all that there are"])
        }
        let range = ground.range(from: oldest)
        let bound = try ground.bound(of: target, timeline: timeline, range: range)
        let usable = candidates.filter { bound.isAfter($0, ground) }
        if let label = target.backup, !usable.contains(where: { $0.label == label }) {
            throw Refusal(
                "the backup \(label) does not lead to \(target.words)",
                remedies: ["leave out --backup: the newest one that does is taken"])
        }
        guard let backup = usable.last(where: { target.backup ?? $0.label == $0.label }) else {
            throw Refusal(
                "\(target.words) is earlier than what the archive holds: its oldest backup, \(oldest.label), was complete "
                    + "only at \(oldest.completed)", remedies: [range])
        }
        let timelines = ground.timelines(of: target, bound: bound, timeline: timeline, from: backup)
        self.init(
            backup: backup, timelines: timelines,
            sentences: [
                "recovers to \(target.words), on timeline \(timelines.first ?? timeline), from the backup \(backup.label), which was complete "
                    + "at \(backup.completed)",
                ground.loss(after: target, bound: bound, timeline: timeline, backup: backup),
            ])
    }
}

/// By what a backup is known to be before a target.
enum RecoveryBound {
    case moment(Moment)
    case position(LogPosition, moment: Moment?, timeline: Int?)
    case none

    func isAfter(_ backup: PgBackRestInfo.Backup, _ ground: RecoveryGround) -> Bool {
        switch self {
        case .moment(let moment): Moment(seconds: backup.timestamp.stop) < moment
        case .position(let position, _, _): backup.end(segmentSize: ground.segmentSize).map { $0 <= position } ?? false
        case .none: true
        }
    }
}

extension PgBackRestInfo.Backup {
    /// When it was complete.
    var completed: Moment { Moment(seconds: timestamp.stop) }

    var timeline: Int? { archive.start.flatMap { LogSegment($0)?.timeline } }

    /// Where in the log it is consistent.
    func end(segmentSize: UInt64) -> LogPosition? {
        lsn?.stop.flatMap { LogPosition($0) } ?? archive.stop.flatMap { LogSegment($0)?.end(segmentSize: segmentSize) }
    }
}
