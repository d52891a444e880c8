import Drover
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
        }

        let members: [Member]
    }

    static func members(at address: String) -> HTTPResponse {
        HTTPResponse("http://\(address):2379/v3/cluster/member/list", post: "{}")
    }

    static func health(at address: String) -> HTTPResponse {
        HTTPResponse("http://\(address):2379/health")
    }

    /// The value of one key.
    static func value(of key: String, at address: String) -> HTTPResponse {
        let encoded = Data(key.utf8).base64EncodedString()
        return HTTPResponse("http://\(address):2379/v3/kv/range", post: #"{"key":"\#(encoded)"}"#)
    }
}
