/// How the timelines of a cluster branch off each other.
struct Timelines: Hashable, Sendable {
    /// By timeline, where those before it were left, from the first on. The first one is silent.
    var branches: [Int: [ArchiveContents.Branch]]
    /// The one that the cluster is on.
    var current: Int

    /// What leads to a timeline, from the oldest to itself; the last one has no end.
    func path(to timeline: Int) -> [(timeline: Int, end: LogPosition?)] {
        (branches[timeline] ?? []).map { ($0.timeline, $0.end) } + [(timeline, nil)]
    }

    /// Whether what stands at a position of a timeline belongs to the history of another one.
    func has(_ position: LogPosition, of timeline: Int, onTheWayTo target: Int) -> Bool {
        guard let step = path(to: target).first(where: { $0.timeline == timeline }) else { return false }
        return step.end.map { position <= $0 } ?? true
    }

    /// The last timeline to whose history a position of another one belongs.
    func last(with position: LogPosition, of timeline: Int) -> Int {
        known.filter { has(position, of: timeline, onTheWayTo: $0) }.max() ?? timeline
    }

    /// Those that there are, with or without segments in the archive.
    var known: Set<Int> { Set(branches.keys).union(branches.values.flatMap { $0.map(\.timeline) }).union([current]) }

    /// A stretch of time that is not in the history of a timeline, because an older timeline was left at its beginning, by a
    /// recovery to an earlier moment, and the next one was begun only at its end.
    struct Gap: Hashable {
        let abandoned: Int
        let from: Moment
        /// Nil when nobody tells when the next one was begun.
        let to: Moment?
    }

    /// - Parameter begins: when timelines were begun, as far as the cluster remembers.
    func gaps(onTheWayTo target: Int, begins: [Int: Moment]) -> [Gap] {
        let path = path(to: target)
        return (branches[target] ?? []).enumerated().compactMap { index, branch in
            guard let from = branch.stopped else { return nil }
            let to = path.dropFirst(index + 1).lazy.compactMap { begins[$0.timeline] }.first
            return Gap(abandoned: branch.timeline, from: from, to: to)
        }
    }
}

extension ArchiveContents.Branch {
    /// The moment to which somebody recovered when the timeline was left; nil when that was another event.
    var stopped: Moment? {
        guard let match = reason.wholeMatch(of: /(?:before|after) (\d{4}-.*)/) else { return nil }
        return try? Moment(String(match.1))
    }
}
