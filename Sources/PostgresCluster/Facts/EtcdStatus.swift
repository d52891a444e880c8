import Engine
import FoundationEssentials
import SystemResources

/// What a member of etcd tells over its JSON gateway (etcd 3.4: `/health`, `/v3/kv/range`).
enum EtcdStatus {
    struct Health: Decodable, Sendable {
        let health: String
    }

    struct Range: Decodable, Sendable {
        struct Pair: Decodable, Sendable {
            let value: String?
        }

        let kvs: [Pair]?

        /// The value of the only key, or nil when there is no such key.
        var text: String? {
            guard let value = kvs?.first?.value, let data = Data(base64Encoded: value) else { return nil }
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Who belongs to etcd.
    struct Members: Decodable, Sendable {
        struct Member: Decodable, Hashable, Sendable {
            /// Nil for a member that was added and has not been started yet.
            let name: String?
            let peerURLs: [String]
            /// Whether it has no vote yet; nil when it has one.
            var isLearner: Bool?
        }

        let members: [Member]
    }

    static func members(at endpoint: EtcdEndpoint) -> HTTPResponse {
        endpoint.question("/v3/cluster/member/list", post: "{}")
    }

    static func health(at endpoint: EtcdEndpoint) -> HTTPResponse {
        endpoint.question("/health")
    }

    /// What stands in etcd, of one cluster and besides it. Every member tells it by itself, with or without a quorum.
    struct Keys: Decodable, Sendable {
        struct Pair: Decodable, Sendable {
            let key: String
        }

        let kvs: [Pair]?

        var names: [String] {
            (kvs ?? []).compactMap { Data(base64Encoded: $0.key).map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// The keys that begin with `path`, which ends with a slash.
    static func keys(under path: String, at endpoint: EtcdEndpoint) -> HTTPResponse {
        keys(from: path, to: end(of: path), atMost: 1000, at: endpoint)
    }

    /// The first keys before those that begin with `path`, and after them.
    static func otherKeys(than path: String, at endpoint: EtcdEndpoint) -> [HTTPResponse] {
        [
            keys(from: "\0", to: path, atMost: 3, at: endpoint),
            keys(from: end(of: path), to: "\0", atMost: 3, at: endpoint),
        ]
    }

    /// The least text after all that begin with `path/`: `0` is the character after the slash.
    private static func end(of path: String) -> String { path.dropLast() + "0" }

    private static func keys(from first: String, to end: String, atMost limit: Int, at endpoint: EtcdEndpoint)
        -> HTTPResponse
    {
        let (first, end) = (Data(first.utf8).base64EncodedString(), Data(end.utf8).base64EncodedString())
        return endpoint.question(
            "/v3/kv/range",
            post: #"{"key":"\#(first)","range_end":"\#(end)","keys_only":true,"serializable":true,"limit":\#(limit)}"#)
    }

    /// The value of one key.
    static func value(of key: String, at endpoint: EtcdEndpoint) -> HTTPResponse {
        let encoded = Data(key.utf8).base64EncodedString()
        return endpoint.question("/v3/kv/range", post: #"{"key":"\#(encoded)"}"#)
    }
}
