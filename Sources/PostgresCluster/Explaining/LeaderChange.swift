import Engine
import SystemResources

/// A change of the leader, as Patroni remembers it.
public struct LeaderChange: Hashable, Sendable {
    /// The timeline that the new leader began.
    public let timeline: Int
    public let time: Moment
    /// The member that leads since then; nil where Patroni does not know.
    public let leader: String?
    /// What PostgreSQL was recovered to, in its words: `before 2026-11-25 03:40:00+00`; nil for a mere promotion.
    public let target: String?
}

/// What Patroni remembers of the timelines of its cluster:
/// `[[1, 50331808, "no recovery target specified", "2026-…", "pg2"], …]`.
enum PatroniHistory {
    static func question(at api: PatroniAPI) -> HTTPResponse { api.question("/history") }

    /// When timelines were begun: each entry tells where one was left, and when.
    static func begins(_ answer: HTTPResponse.Answer?) -> [Int: Moment] {
        Dictionary(changes(answer).map { ($0.timeline, $0.time) }) { $1 }
    }

    /// The changes in the order of their timelines.
    static func changes(_ answer: HTTPResponse.Answer?) -> [LeaderChange] {
        guard case .list(let entries) = answer?.json(JSONValue.self) else { return [] }
        return entries.compactMap { entry in
            guard case .list(let fields) = entry, fields.count > 3,
                let timeline = fields[0].scalar.flatMap({ Int($0) }),
                let time = fields[3].scalar.flatMap({ try? Moment($0) })
            else { return nil }
            let reason = fields[2].scalar ?? ""
            return LeaderChange(
                timeline: timeline + 1, time: time, leader: fields.count > 4 ? fields[4].scalar : nil,
                target: reason == "no recovery target specified" ? nil : reason)
        }
    }
}
