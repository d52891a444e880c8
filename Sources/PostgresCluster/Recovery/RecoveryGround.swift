import Engine

/// What is known before a recovery is planned.
struct RecoveryGround: Sendable {
    var backups: [PgBackRestInfo.Backup]
    var timelines: Timelines
    /// By timeline, the names of the first and last segments in the archive.
    var segments: [Int: ArchiveContents.Contents.Range] = [:]
    /// Of who leads; nil while nobody does.
    var leader: LeaderLog.End?
    /// Up to where and when the log was written when the recovery began that is under way.
    var ended: (position: LogPosition?, moment: Moment?) = (nil, nil)
    /// When timelines were begun, by the memory of Patroni.
    var begins: [Int: Moment] = [:]
    /// Where the restore point or transaction was found; nil as long as nobody has looked.
    var hits: [LogSearch.Hit]?
    /// Whether the archive does not get what the leader writes, and until when it got it.
    var archived: (isFailing: Bool, until: Moment?) = (false, nil)
}

extension RecoveryGround {
    var segmentSize: UInt64 { leader?.segmentSize ?? 16_777_216 }

    /// The backups that lie on the way to a timeline, from the oldest to the newest.
    func candidates(on timeline: Int) -> [PgBackRestInfo.Backup] {
        backups.filter { backup in
            guard let own = backup.timeline, let end = backup.end(segmentSize: segmentSize) else { return false }
            return timelines.has(end, of: own, onTheWayTo: timeline)
        }
    }

    /// What can be reached at all, as advice.
    func range(from oldest: PgBackRestInfo.Backup) -> String {
        let end = (archived.isFailing ? archived.until : leader?.now) ?? ended.moment
        return "choose a moment after \(oldest.completed)" + (end.map { " and before \($0)" } ?? "")
    }

    /// Where the target lies.
    ///
    /// - Throws: `Refusal` when the archive does not hold it.
    func bound(of target: RecoveryTarget, timeline: Int, range: String) throws -> RecoveryBound {
        switch target.point {
        case .immediate, .latest: return .none
        case .time(let moment):
            try refuse(moment, of: target, timeline: timeline, range: range)
            return .moment(moment)
        case .position(let position):
            let end = timeline == timelines.current ? leader?.position ?? ended.position : nil
            let archived = segments[timeline].flatMap { LogSegment($0.last)?.end(segmentSize: segmentSize) }
            if let end = end ?? archived, position > end {
                throw Refusal(
                    "\(target.words) is behind the end of the log, which is \(end)", remedies: [range])
            }
            return .position(position, moment: nil, timeline: nil)
        case .name, .transaction:
            guard let hits else { return .none }
            let hit = try hit(of: target, timeline: timeline, among: hits)
            return .position(hit.position, moment: hit.time, timeline: hit.timeline)
        }
    }

    private func refuse(_ moment: Moment, of target: RecoveryTarget, timeline: Int, range: String) throws {
        if archived.isFailing, let until = archived.until, moment > until {
            throw Refusal(
                "the leader fails to archive its log: what was written after \(until) is not in the archive",
                remedies: [range, "or mend the archive first: `drover status` tells what fails"])
        }
        if let end = leader?.now ?? ended.moment, moment > end {
            throw Refusal(
                "\(target.words) is later than the end of the archive, which is now, \(end)",
                remedies: [range, "--latest recovers all that there is"])
        }
        for gap in timelines.gaps(onTheWayTo: timeline, begins: begins)
        where moment >= gap.from && gap.to.map({ moment < $0 }) ?? false {
            // The cluster may have been on several timelines in that time.
            let abandoned = witness(of: moment, against: timeline) ?? gap.abandoned
            throw Refusal(
                "\(target.words) lies on timeline \(abandoned), which was left by a recovery to \(gap.from)"
                    + (gap.to.map { " that ended at \($0)" } ?? ""),
                remedies: ["say --target-timeline \(abandoned)", "or choose a moment before or after that"])
        }
        if timeline != timelines.current {
            let end = begins.filter { $0.key > timeline && timelines.branches[$0.key]?.last?.timeline == timeline }
                .values.max()
            if let end, moment > end {
                throw Refusal(
                    "\(target.words) is later than the end of timeline \(timeline), which is \(end)", remedies: [range])
            }
        }
        if let other = witness(of: moment, against: timeline) {
            throw Refusal(
                "\(target.words) lies on timeline \(other), which does not lead to timeline \(timeline)",
                remedies: ["say --target-timeline \(other)", "or choose another moment"])
        }
    }

    /// The timeline on which the cluster was at a moment, when that is not on the way to the other one: a backup tells it,
    /// unless another timeline was begun after that.
    private func witness(of moment: Moment, against timeline: Int) -> Int? {
        guard let backup = backups.last(where: { $0.completed < moment }), let own = backup.timeline,
            let end = backup.end(segmentSize: segmentSize), !timelines.has(end, of: own, onTheWayTo: timeline)
        else { return nil }
        let isOver = timelines.path(to: timeline).contains { step in
            begins[step.timeline].map { $0 > backup.completed && $0 <= moment } ?? false
        }
        return isOver ? nil : timelines.last(with: end, of: own)
    }

    /// On which timelines to look for a target. Of a moment nobody knows whether a transaction follows it on its own
    /// timeline, so the later ones come after that.
    func timelines(
        of target: RecoveryTarget, bound: RecoveryBound, timeline: Int, from backup: PgBackRestInfo.Backup
    ) -> [Int] {
        let path = timelines.path(to: timeline)
        switch (target.point, bound) {
        case (.latest, _): return [timeline]
        case (.immediate, _): return [backup.timeline ?? timeline]
        case (_, .position(let position, _, let known)):
            let own = path.first { step in step.end.map { position <= $0 } ?? true }?.timeline
            return [known ?? own ?? timeline]
        case (_, .moment(let moment)):
            let begun = path.lastIndex { step in begins[step.timeline].map { $0 <= moment } ?? false } ?? 0
            let first = path.firstIndex { $0.timeline == backup.timeline } ?? 0
            return path.dropFirst(max(begun, first)).map(\.timeline)
        case (_, .none): return [timeline]
        }
    }

    private func hit(
        of target: RecoveryTarget, timeline: Int, among hits: [LogSearch.Hit]
    ) throws -> LogSearch.Hit {
        if let hit = hits.first(where: { timelines.has($0.position, of: $0.timeline, onTheWayTo: timeline) }) {
            if hit.isAborted {
                throw Refusal(
                    "\(target.words) was rolled back, so nothing tells what was there at its end",
                    remedies: ["name another one"])
            }
            return hit
        }
        if let other = hits.first {
            throw Refusal(
                "\(target.words) lies on timeline \(other.timeline), at \(other.position), which does not belong to timeline "
                    + "\(timeline)", remedies: ["say --target-timeline \(other.timeline)"])
        }
        throw Refusal(
            "\(target.words) stands nowhere in the log since the oldest backup",
            remedies: ["see how it is written", "or choose a moment: --target-time"])
    }

    /// What is later than the target.
    func loss(
        after target: RecoveryTarget, bound: RecoveryBound, timeline: Int, backup: PgBackRestInfo.Backup
    ) -> String {
        let end = leader?.position ?? ended.position
        func log(since position: LogPosition?) -> String {
            guard timeline == timelines.current, let position, let end, end > position else { return "" }
            return ", \((end.bytes - position.bytes) / 1024 + 1) KB of the log"
        }
        switch (target.point, bound) {
        case (.latest, _): return "nothing is lost that is in the archive"
        case (.immediate, _):
            return "all that was committed after the end of that backup is lost"
                + log(since: backup.end(segmentSize: segmentSize))
        case (_, .moment(let moment)):
            let span = (leader?.now ?? ended.moment).map { " up to now, \($0)," } ?? ""
            return "all that was committed after \(moment)\(span) is lost"
        case (_, .position(let position, let moment, _)):
            return "all that was committed after \(target.words)\(moment.map { " (\($0))" } ?? "") is lost"
                + log(since: position)
        case (_, .none): return "all that was committed after \(target.words) is lost"
        }
    }
}
