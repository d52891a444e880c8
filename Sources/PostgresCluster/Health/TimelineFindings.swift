import FoundationEssentials

/// Finds timelines that were promoted and then abandoned: what their leader has acknowledged is not in the database.
struct TimelineFindings {
    /// The timeline of the leader.
    let current: Int
    /// The timelines on which members are now.
    let inUse: Set<Int>
    /// What the members have of any timeline, by their names.
    let traces: [(member: String, traces: [TimelineFiles.Trace])]
    /// The last timeline of the WAL archive; nil when there is none.
    let archived: Int?
    /// Seconds since 1970.
    let now: Int

    var all: [Finding] { abandoned.sorted().map(finding) }

    private var everything: [TimelineFiles.Trace] { traces.flatMap(\.traces) }

    /// Where the timelines before the current one were left.
    private var lineage: [ArchiveContents.Branch] {
        everything.first { $0.timeline == current && !$0.branches.isEmpty }?.branches ?? []
    }

    private var abandoned: Set<Int> {
        let lineage = lineage
        let known = Set(everything.map(\.timeline)).union(archived.map { [$0] } ?? [])
        return known.filter { timeline in
            // Patroni tells of a promotion only at its next turn.
            if everything.contains(where: { $0.timeline == timeline && ($0.begun ?? 0) > now - Self.promotion }) {
                return false
            }
            if inUse.contains(where: { $0 >= timeline }), timeline > current { return false }
            if timeline == current || lineage.contains(where: { $0.timeline == timeline }) { return false }
            if timeline > current { return true }
            // A recovery to a target abandons a timeline on purpose.
            guard let parent = lineage.last(where: { $0.timeline < timeline }) else { return false }
            return parent.reason == "no recovery target specified"
        }
    }

    /// Within this many seconds every member tells of a new timeline.
    private static let promotion = 60

    private func finding(_ timeline: Int) -> Finding {
        let found = everything.filter { $0.timeline == timeline }
        let from = found.compactMap(\.begun).min().map { " from \(Self.words($0))" } ?? ""
        let to = found.compactMap(\.written).max().map { " until \(Self.words($0))" } ?? ""
        let places = traces.flatMap { member, traces in
            traces.filter { $0.timeline == timeline && $0.written != nil }.map { "\($0.directory) on \(member)" }
        }
        let archive = archived == timeline ? ["the WAL archive"] : []
        let wal = (places + archive).joined(separator: ", ")
        return Finding(
            .abandonedTimeline, .warning,
            "timeline \(timeline) was promoted and then abandoned: rows that were acknowledged on it\(from)\(to) are in doubt",
            wal.isEmpty
                ? "ask your clients which rows of that time they miss; none of the WAL of the timeline is left on the members"
                : "its WAL is in \(wal): look at the rows with `pg_waldump`, or by point-in-time-recovery with "
                    + "--target-timeline \(timeline) on other hosts, and enter again what is missing")
    }

    private static func words(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
