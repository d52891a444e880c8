/// The story of a change of the leader: why the one before led no longer, what happened when, and for how long nobody could
/// write.
public struct LeaderStory: Hashable, Sendable {
    /// Something that happened on a member.
    public struct Event: Hashable, Sendable {
        public let time: Moment
        public let member: String
        public let text: String
    }

    /// The time in which no member accepted writes.
    public struct Outage: Hashable, Sendable {
        public let begin: Moment
        public let end: Moment
        /// Whether a message tells the begin. Otherwise it is the last sign of the former leader, and the outage may be shorter.
        public let isExact: Bool

        public var seconds: Double { Double(end.microseconds - begin.microseconds) / 1_000_000 }
    }

    public let change: LeaderChange
    /// The member that led before; nil when nothing tells it.
    public let previous: String?
    public let cause: String
    /// nil when messages of the former leader or of the new one are missing.
    public let outage: Outage?
    public let events: [Event]

    /// - Parameters:
    ///   - before: the change before that, from which the former leader is known if no message tells it.
    ///   - entries: messages of all members from before and after the change, in their order.
    ///   - unreachable: the members of which there are no messages.
    init(of change: LeaderChange, after before: LeaderChange?, from entries: [LogEntry], unreachable: Set<String>) {
        let signs = entries.compactMap { entry in
            LeaderSign(entry).map { Signed(time: entry.time, member: entry.host, sign: $0) }
        }
        let promotion = signs.last { $0.sign == .timeline(change.timeline) }
        let promoted = promotion?.time ?? change.time
        let next = promotion?.member ?? change.leader
        // Others may follow the new leader before its PostgreSQL is promoted.
        let known = signs.last { $0.time < promoted && $0.leader != nil && $0.sign != next.map { .follows($0) } }
        let previous = known?.leader ?? before?.leader
        let last = signs.last { $0.sign == .leads && $0.member == previous && $0.time < promoted }?.time
        let began = last ?? known?.time ?? signs.first?.time ?? promoted
        let during = signs.filter { $0.time >= began && $0.time <= promoted }
        let ofPrevious = during.filter { $0.member == previous }
        let ready = signs.first { $0.sign == .isReady && $0.member == next && $0.time >= promoted }?.time

        self.change = LeaderChange(
            timeline: change.timeline, time: promoted, leader: next, target: change.target)
        self.previous = previous
        cause = Self.cause(
            of: change, previous, during: during, ofPrevious,
            silence: Silence(of: previous, in: entries, since: last, beyond: promoted), unreachable: unreachable)
        let stop = ofPrevious.first { $0.sign.endsWrites }?.time
        outage = (stop ?? last).flatMap { begin in
            ready.map { Outage(begin: begin, end: $0, isExact: stop != nil) }
        }
        let returned = signs.first { $0.member == previous && $0.isReturn(to: next) && $0.time > promoted }?.time
        let end = max(ready ?? promoted, returned ?? promoted)
        events = Self.events(
            signs.filter { $0.time >= began && $0.time <= end }, last: last, previous, returned: returned, to: next)
    }

    private struct Signed {
        let time: Moment
        let member: String
        let sign: LeaderSign

        /// The leader that it tells of.
        var leader: String? {
            switch sign {
            case .leads: member
            case .follows(let leader): leader
            default: nil
            }
        }

        func isReturn(to leader: String?) -> Bool { sign == leader.map { .follows($0) } }
    }

    /// A time without messages of the former leader, which lasted beyond the promotion.
    private struct Silence {
        let begin: Moment?
        /// When it wrote again; nil when it did not.
        let end: Moment?
        /// Whether Patroni was started then.
        var isStart = false

        init?(of member: String?, in entries: [LogEntry], since begin: Moment?, beyond promotion: Moment) {
            let own = entries.filter { $0.host == member }
            guard member != nil, !own.contains(where: { $0.time > begin ?? .init(seconds: 0) && $0.time <= promotion })
            else { return nil }
            self.begin = begin
            let after = own.filter { $0.time > promotion }
            end = after.first?.time
            isStart = after.prefix(20).contains { LeaderSign($0) == .begins }
        }
    }

    private static func cause(
        of change: LeaderChange, _ previous: String?, during: [Signed], _ ofPrevious: [Signed], silence: Silence?,
        unreachable: Set<String>
    ) -> String {
        if let target = change.target { return "the cluster was recovered to a target (\(target))" }
        let wanted = during.compactMap { if case .wanted(let what) = $0.sign { what } else { nil } }.last
        if let wanted { return "somebody asked for a \(wanted)" }
        guard let previous else { return "nothing tells which member led before" }
        if let cause = ofPrevious.lazy.compactMap({ $0.sign.cause(on: previous) }).first { return cause }
        if unreachable.contains(previous) {
            return "the other members had lost \(previous), which cannot be reached now either"
        }
        if let silence {
            func words(_ time: Moment) -> Moment { Moment(seconds: time.microseconds / 1_000_000) }
            let since = silence.begin.map { " since \(words($0))" } ?? ""
            guard let end = silence.end.map(words) else { return "\(previous) has written no message\(since)" }
            return silence.isStart
                ? "\(previous) was down\(since); it was started again at \(end)"
                : "\(previous) was paused\(since), or had no processor time; it went on at \(end)"
        }
        if ofPrevious.contains(where: { if case .shutsDown = $0.sign { true } else { false } }) {
            return "PostgreSQL on \(previous) was stopped"
        }
        return "the messages do not tell the cause"
    }

    private static func events(
        _ signs: [Signed], last: Moment?, _ previous: String?, returned: Moment?, to next: String?
    ) -> [Event] {
        var events: [Event] = []
        if let last, let previous { events.append(Event(time: last, member: previous, text: "has the leader lock")) }
        var told: Set<String> = []
        for signed in signs {
            var text = signed.sign.words
            if signed.time == returned, signed.member == previous, let next, signed.isReturn(to: next) {
                text = "follows \(next)"
            }
            // What is tried again and again is told once.
            guard let text, told.insert("\(signed.member) \(text)").inserted else { continue }
            events.append(Event(time: signed.time, member: signed.member, text: text))
        }
        return events
    }
}
