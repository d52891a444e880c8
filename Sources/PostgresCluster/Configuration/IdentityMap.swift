import Diagnostics
public import YAML

extension ClusterConfiguration {
    /// A line of `pg_ident.conf`: as which role a system user may log in.
    public struct IdentityMap: Sendable, Equatable {
        public let map: String
        public let systemUser: String
        public let role: String

        /// The line of the file.
        var line: String { "\(map) \(systemUser) \(role)" }
    }
}

extension ClusterConfiguration.IdentityMap: YAMLDecodable {
    /// `{ mapname: staff, system_username: alice, pg_username: app }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a line of pg_ident.conf")
        let map: String? = reader.required("mapname")
        let user: String? = reader.required("system_username")
        let role: String? = reader.required("pg_username")
        for text in [map, user, role].compactMap(\.self) where text.wholeMatch(of: /"[^"\n\r']+"|[^\s"#']+/) == nil {
            reader.diagnostics.report(
                "'\(text)' is not one field of pg_ident.conf", at: node.location,
                remedy: "write it without blanks, or put it into double quotes")
        }
        let (name, system, target) = try reader.finish(map, user, role)
        self.init(map: name, systemUser: system, role: target)
    }
}
