public import Engine
public import Inventory
import SystemResources

extension ClusterConfiguration {
    /// What a recovery asks of a host beyond what is asked of every cluster.
    public func recoveryQuestions(of host: Host) -> [any Fact] {
        var questions = removalQuestions(of: host)
        let growth = GrowthQuestions(configuration: self)
        for node in members where node.name == host.name {
            questions += [
                LeaderLog(catalog: PostgresCatalog(of: self, databases: [])) as any Fact, growth.leaderFitness,
                growth.capacity, UnitStatus("drover-recovery.service"),
                PatroniHistory.question(at: api(of: node)),
            ]
        }
        if backups != nil { questions.append(ErrandMark(Recovery.errand)) }
        return questions
    }
}

extension Recovery {
    var archive: ArchiveContents? { configuration.backups.map { ArchiveContents(stanza: $0.stanza) } }

    /// What is asked of the member that recovers when it has not begun yet, each as soon as what it depends on is known.
    var searches: [any Fact] {
        guard let archive, needsCourse else { return [] }
        return [archive as any Fact] + (search.map { [$0] } ?? [])
    }

    /// Whether a target is to be looked for.
    var needsCourse: Bool {
        guard !request.aborts, !isOver, !isFinal, let target = request.target else { return false }
        return underway?.target.text != target.text
    }

    private var search: LogSearch? {
        guard let target = request.target, let backups = configuration.backups, let timelines else { return nil }
        let wanted: LogSearch.Wanted
        switch target.point {
        case .name(let name): wanted = .name(name)
        case .transaction(let number): wanted = .transaction(number)
        default: return nil
        }
        let size = log?.segmentSize ?? 16_777_216
        return LogSearch(
            wanted: wanted, stanza: backups.stanza, dataDirectory: configuration.postgres.dataDirectory,
            binaryDirectory: configuration.postgres.binaryDirectory,
            stretches: timelines.path(to: target.timeline ?? timelines.current).map { step in
                .init(timeline: step.timeline, end: step.end.map { $0.place(segmentSize: size) } ?? "F")
            })
    }

    /// Nil while the archive has not told.
    var timelines: Timelines? {
        guard let archive, let contents = cluster.observed[host.host].ifKnown(archive) ?? nil else { return nil }
        let newest = Set(contents.branches.keys).union(contents.segments.keys).max() ?? 1
        return Timelines(branches: contents.branches, current: log?.timeline ?? newest)
    }

    /// What is known; nil while the archive has not told.
    var ground: RecoveryGround? {
        guard let timelines, let archive, let contents = cluster.observed[host.host].ifKnown(archive) ?? nil,
            let stanza = cluster.backupSightings.told?.stanza
        else { return nil }
        let archiver = cluster.backupSightings.archivers[cluster.leader.name]
        let facts = cluster.observed[host.host]
        let begins = configuration.members.map { node in
            PatroniHistory.begins(
                cluster.observed[node.host].ifKnown(PatroniHistory.question(at: configuration.api(of: node))))
        }
        return RecoveryGround(
            backups: stanza.backup, timelines: timelines, segments: contents.segments, leader: log,
            ended: (underway?.end, underway?.moment),
            begins: begins.first { !$0.isEmpty } ?? [:],
            hits: search.flatMap { facts.ifKnown($0) },
            archived: (archiver?.isFailing ?? false, archiver?.archived.map { Moment(microseconds: $0.time) }))
    }

    /// - Throws: `Refusal` when the archive does not hold the target.
    func course(to target: RecoveryTarget) throws -> RecoveryCourse? {
        guard let ground else { return nil }
        return try RecoveryCourse(to: target, on: ground)
    }
}

extension LogPosition {
    /// The place in the name of the segment that it is in.
    func place(segmentSize size: UInt64) -> String {
        let number = bytes / size
        let perFile = (1 << 32) / size
        func digits(_ number: UInt64) -> String {
            let digits = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        }
        return digits(number / perFile) + digits(number % perFile)
    }
}
