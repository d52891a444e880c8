import Engine
import SystemResources

/// What Patroni's REST API tells, of one member and of the whole cluster.
///
/// Field names are those of Patroni 3.0.2 (`GET /patroni`, `GET /cluster`).
struct PatroniStatus: Sendable {
    /// One member, as the cluster sees it.
    struct Member: Decodable, Hashable, Sendable {
        let name: String
        /// `leader`, `replica`, `sync_standby`, `standby_leader`.
        let role: String
        /// `running`, `streaming`, `starting`, `stopped` …
        let state: String
        let timeline: Int?
        /// How far it is behind the leader, in bytes; Patroni says `unknown` when it cannot tell. What the cluster says of it
        /// is as old as the member's last turn.
        var lag: Lag?
        /// Whether a changed parameter waits for a restart of PostgreSQL.
        var pendingRestart: Bool?
        /// Where its PostgreSQL listens.
        var host: String?
        /// What its own file says of its part, such as `nofailover`.
        var tags: [String: JSONValue]?

        enum CodingKeys: String, CodingKey {
            case name, role, state, timeline, lag, pendingRestart = "pending_restart", host, tags
        }

        enum Lag: Decodable, Hashable, Sendable {
            case bytes(Int)
            case unknown

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = (try? container.decode(Int.self)).map(Lag.bytes) ?? .unknown
            }
        }

        var isLeader: Bool { role == "leader" || role == "standby_leader" }
    }

    struct Cluster: Decodable, Sendable {
        var members: [Member]
        /// Whether Patroni is paused; it says so only when it is.
        var pause: Bool?
    }

    /// The member that was asked.
    struct Own: Decodable, Sendable {
        struct Identity: Decodable, Sendable {
            let scope: String
            var version: String?
        }

        /// How far it is in the log at this moment, in bytes from its beginning.
        struct Log: Decodable, Sendable {
            /// Of one that writes it.
            var location: Int?
            /// Of one that follows.
            var receivedLocation: Int?
            var replayedLocation: Int?

            enum CodingKeys: String, CodingKey {
                case location, receivedLocation = "received_location", replayedLocation = "replayed_location"
            }

            /// What one that follows has, as Patroni reckons when it looks for the next leader.
            var followed: Int? { [receivedLocation, replayedLocation].compactMap(\.self).max() }
        }

        let role: String
        let patroni: Identity
        /// The one that PostgreSQL is on at this moment.
        var timeline: Int?
        /// Nil while PostgreSQL does not answer.
        var log: Log?
        /// Whether a changed parameter waits for a restart of PostgreSQL; it says so only when it does.
        var pendingRestart: Bool?

        /// Whether Patroni retains the slot of an absent member for `member_slots_ttl`, and creates it anew if dropped.
        ///
        /// Source: Patroni's release notes, version 4.0.0.
        var retainsSlots: Bool { patroni.version.map { PackageVersion($0) >= PackageVersion("4.0.0~") } ?? false }

        /// Whether it accepts writes. Patroni 4 has another word for it.
        var isPrimary: Bool { role == "master" || role == "primary" }

        enum CodingKeys: String, CodingKey {
            case role, patroni, timeline, log = "xlog", pendingRestart = "pending_restart"
        }
    }

    static func own(at api: PatroniAPI) -> HTTPResponse { api.question("/patroni") }
    static func cluster(at api: PatroniAPI) -> HTTPResponse { api.question("/cluster") }
}

extension HTTPResponse.Answer {
    /// Patroni answers 503 for a member that is not running, with the same content.
    func patroni<Value: Decodable>(_ type: Value.Type) -> Value? {
        status == 0 ? nil : HTTPResponse.Answer(status: 200, body: body).json(type)
    }
}
