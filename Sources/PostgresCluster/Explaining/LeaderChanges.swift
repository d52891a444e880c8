import Diagnostics
public import Engine
import FoundationEssentials
public import Inventory
import Synchronization
import SystemResources

/// The changes of a cluster's leader, and their stories.
public struct LeaderChanges: Sendable {
    private let inventory: Inventory
    private let configuration: ClusterConfiguration

    /// - Throws: `Diagnostics` for a wrong inventory.
    public init(of inventory: Inventory) throws {
        self.inventory = inventory
        configuration = try ClusterConfiguration(inventory)
    }

    /// All changes that Patroni remembers, in their order, and one that it has not written down yet.
    ///
    /// - Returns: none when the first leader still leads.
    /// - Throws: a `Diagnostic` when no member answers.
    public func all(settings: ConnectionSettings) async throws -> [LeaderChange] {
        let questions = ClusterQuestions(configuration: configuration)
        let answers = await Survey.ask(configuration.members.map(\.host), settings: settings) { host, _ in
            configuration.members.filter { $0.name == host.name }.flatMap { node -> [any Fact] in
                let api = questions.api(node)
                return [PatroniHistory.question(at: api), PatroniStatus.own(at: api)]
            }
        }
        let failures = answers.compactMap { host, answer in
            if case .failure(let error) = answer { HostFailures.Failure(host: host, error: error) } else { nil }
        }
        if failures.count == answers.count { throw HostFailures(failures) }
        let histories = zip(configuration.members, answers).compactMap { node, answer -> [LeaderChange]? in
            guard case .success(let facts) = answer.answers,
                let history = facts.ifKnown(PatroniHistory.question(at: questions.api(node))), history.status == 200
            else { return nil }
            return PatroniHistory.changes(history)
        }
        guard let longest = histories.max(by: { $0.count < $1.count }) else {
            throw Diagnostic(
                "Patroni answers on no member of \(configuration.name)",
                remedy: "look at its messages: drover logs member --unit patroni")
        }
        let members = zip(configuration.members, answers).compactMap { node, answer -> Sighting? in
            guard case .success(let facts) = answer.answers,
                let own = facts.ifKnown(PatroniStatus.own(at: questions.api(node)))?.patroni(PatroniStatus.Own.self),
                let timeline = own.timeline
            else { return nil }
            return Sighting(member: node.name, timeline: timeline, isPrimary: own.isPrimary)
        }
        return Self.completed(longest, by: members, now: Moment(seconds: Int(Date().timeIntervalSince1970)))
    }

    /// The timeline and the role of a member, as its own Patroni reports them.
    struct Sighting {
        let member: String
        let timeline: Int
        let isPrimary: Bool
    }

    /// Adds the change that the leader has not recorded yet: it does so at its next turn, up to `loop_wait` after the promotion.
    ///
    /// - Parameter now: stands for the time of such a change, which only messages tell.
    static func completed(_ changes: [LeaderChange], by members: [Sighting], now: Moment) -> [LeaderChange] {
        guard let newest = members.map(\.timeline).max(), newest > changes.last?.timeline ?? 1 else { return changes }
        let leader = members.first { $0.timeline == newest && $0.isPrimary }?.member
        return changes + [LeaderChange(timeline: newest, time: now, leader: leader, target: nil)]
    }

    /// Reads the messages around a change, and tells its story.
    ///
    /// - Parameters:
    ///   - timeline: the one that the new leader began. The last change unless given.
    ///   - changes: what `all` has returned; at least one.
    /// - Returns: the story, and what went wrong when messages were read.
    /// - Throws: a `Diagnostic` for a timeline of which Patroni knows nothing; `CancellationError`.
    public func story(
        of timeline: Int?, among changes: [LeaderChange], settings: ConnectionSettings, interruption: Interruption
    ) async throws -> (story: LeaderStory, outcome: ClusterLogs.Outcome) {
        guard
            let index = timeline.map({ wanted in changes.firstIndex { $0.timeline == wanted } }) ?? changes.indices.last
        else {
            let known = changes.map { String($0.timeline) }.joined(separator: ", ")
            throw Diagnostic(
                "Patroni remembers no change of the leader to timeline \(timeline ?? 0)", remedy: "give one of \(known)"
            )
        }
        let change = changes[index]
        let patroni = configuration.patroni
        // A leader may have held the lock for so long before it was missed.
        let before = max(120, patroni.ttl + patroni.loopWait + patroni.retryTimeout + 30)
        let logs = try ClusterLogs(
            of: inventory, [LogRole.member.rawValue], units: [], since: .moment(change.time.adding(seconds: -before)),
            until: change.time.adding(seconds: Self.aftermath))
        let entries = Mutex<[LogEntry]>([])
        let outcome = try await logs.read(follows: false, settings: settings, interruption: interruption) { new in
            entries.withLock { $0 += new }
        }
        let story = LeaderStory(
            of: change, after: index > 0 ? changes[index - 1] : nil, from: entries.withLock { $0 },
            unreachable: Set(outcome.failures.map(\.host.name)))
        return (story, outcome)
    }

    /// For how long after a change messages belong to its story, in seconds: until a former leader has come back.
    private static let aftermath = 300
}
