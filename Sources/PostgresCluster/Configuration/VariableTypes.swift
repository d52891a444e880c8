import Diagnostics
import Secrets
public import YAML

extension ClusterConfiguration.Pooler.Mode: YAMLDecodable {}
extension ClusterConfiguration.Role.Flag: YAMLDecodable {}

extension ClusterConfiguration.Parameter: YAMLDecodable {
    /// `{ option: max_connections, value: 200 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a parameter of PostgreSQL")
        let name: String? = reader.required("option")
        let value: String? = reader.required("value")
        let (option, text) = try reader.finish(name, value)
        self.init(name: option, value: text)
    }
}

extension ClusterConfiguration.Role: YAMLDecodable {
    /// `{ name: app, password: …, flags: [CREATEDB] }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a user")
        let name: String? = reader.required("name")
        let password: Secret? = reader.required("password")
        let flags: [Flag] = reader.optional("flags") ?? []
        let (role, secret) = try reader.finish(name, password)
        self.init(name: role, password: secret, flags: flags)
    }
}

extension ClusterConfiguration.Database: YAMLDecodable {
    /// `{ db: app, owner: app }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a database")
        let name: String? = reader.required("db")
        let owner: String? = reader.required("owner")
        let (database, role) = try reader.finish(name, owner)
        self.init(name: database, owner: role)
    }
}
