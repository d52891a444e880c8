import Diagnostics
import Inventory
public import YAML

extension ClusterConfiguration.Balancing {
    /// `haproxy_timeout`: how long a connection may be idle, in HAProxy's words.
    public struct Timeouts: Sendable, Equatable {
        public var client = "60m"
        public var server = "60m"
    }
}

extension ClusterConfiguration.Balancing.Timeouts: YAMLDecodable {
    /// `{ client: 60m, server: 60m }`.
    public init(yaml node: YAMLNode) throws {
        self.init()
        var reader = try MappingReader(node, what: "the time-outs of HAProxy")
        client = reader.optional("client") ?? client
        server = reader.optional("server") ?? server
        for text in [client, server] where text.wholeMatch(of: /[1-9][0-9]*(us|ms|s|m|h|d)?/) == nil {
            reader.diagnostics.report(
                "'\(text)' is no time of HAProxy", at: node.location, remedy: "write it like 30s, 60m or 1h")
        }
        try reader.finish()
    }
}
