import Diagnostics
import Secrets
public import YAML

extension ClusterConfiguration.Pooler.Mode: YAMLDecodable {}

extension ClusterConfiguration.Parameter: YAMLDecodable {
    /// `{ option: max_connections, value: 200 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a parameter of PostgreSQL")
        let name: String? = reader.required("option")
        let value: String? = reader.required("value")
        if let name, name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.$-]*/) == nil {
            reader.diagnostics.report(
                "'\(name)' cannot name a parameter", at: node.location, remedy: "use letters, digits, '_', '-' and '.'")
        }
        let (option, text) = try reader.finish(name, value)
        self.init(name: option, value: text)
    }
}

extension ClusterConfiguration.Role: YAMLDecodable {
    /// `{ name: app, password: …, flags: [CREATEDB], role: readers }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a user")
        let name: String? = reader.required("name")
        // An empty one is what autobase has for a password that is to be generated.
        let given = (reader.optional("password") as DatabasePassword?)?.secret
        let password = given.flatMap { $0.reveal().isEmpty ? nil : $0 }
        let words = (reader.optional("flags") as Words?)?.words.map { $0.uppercased() } ?? []
        let groups = (reader.optional("role") as Words?)?.words ?? []
        let known = Set(["LOGIN", "INHERIT"] + Flag.allCases.map(\.rawValue))
        for word in words where !known.contains(word.hasPrefix("NO") ? String(word.dropFirst(2)) : word) {
            reader.diagnostics.report(
                "unknown flag '\(word)' of a user", at: node.location,
                remedy: Suggestion.remedy(for: word, among: known)
                    ?? "write of \(known.sorted().joined(separator: ", ")), or one of them after NO")
        }
        let role = try reader.finish(name)
        let login: Bool? = words.contains("NOLOGIN") ? false : words.contains("LOGIN") || password != nil ? true : nil
        self.init(
            name: role, password: password, flags: Flag.allCases.filter { words.contains($0.rawValue) },
            canLogIn: login, memberOf: groups)
    }
}

extension ClusterConfiguration.Database: YAMLDecodable {
    /// `{ db: app, owner: app, encoding: UTF8, lc_collate: C.UTF-8, lc_ctype: C.UTF-8, conn_limit: 50 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a database")
        let name: String? = reader.required("db")
        let owner: String? = reader.required("owner")
        let encoding: String? = reader.optional("encoding")
        let collation: String? = reader.optional("lc_collate")
        let characters: String? = reader.optional("lc_ctype")
        let limit: Int? = reader.optional("conn_limit")
        let (database, role) = try reader.finish(name, owner)
        self.init(
            name: database, owner: role, encoding: encoding, collation: collation, characters: characters,
            connectionLimit: limit)
    }
}
