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
    /// `{ name: app, password: …, flags: [CREATEDB], role: readers, conn_limit: 5, expires: '2027-01-01 00:00+00' }`, as
    /// Ansible's module `postgresql_user` names them.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a user")
        let name: String? = reader.required("name")
        // An empty one is what autobase has for a password that is to be generated.
        let given = (reader.optional("password") as DatabasePassword?)?.secret
        let password = given.flatMap { $0.reveal().isEmpty ? nil : $0 }
        let words = (reader.optional("flags") as Words?)?.words.map { $0.uppercased() } ?? []
        let groups = (reader.optional("role") as Words?)?.words ?? []
        let limit: Int? = reader.optional("conn_limit")
        let expiry: Expiry? = reader.optional("expires")
        let known = Set(["LOGIN", "INHERIT"] + Flag.allCases.map(\.rawValue))
        for word in words where !known.contains(word.hasPrefix("NO") ? String(word.dropFirst(2)) : word) {
            reader.diagnostics.report(
                "unknown flag '\(word)' of a user", at: node.location,
                remedy: Self.attributes[word] ?? Suggestion.remedy(for: word, among: known)
                    ?? "write of \(known.sorted().joined(separator: ", ")), or one of them after NO")
        }
        if let limit, limit < -1 {
            reader.diagnostics.report(
                "\(limit) is no number of connections", at: node.location,
                remedy: "write 0 or more, or -1 for any number")
        }
        let role = try reader.finish(name)
        let login: Bool? = words.contains("NOLOGIN") ? false : words.contains("LOGIN") || password != nil ? true : nil
        let inherits: Bool? = words.contains("NOINHERIT") ? false : words.contains("INHERIT") ? true : nil
        self.init(
            name: role, password: password, flags: Flag.allCases.filter { words.contains($0.rawValue) },
            canLogIn: login, inherits: inherits, connectionLimit: limit, expiry: expiry, memberOf: groups)
    }

    /// Attributes of `CREATE ROLE` that have a value, and so a key of their own.
    private static let attributes = [
        "CONNECTION": "write conn_limit: 5", "VALID": "write expires: '2027-01-01 00:00+00'",
    ]
}

extension ClusterConfiguration.Role.Expiry: YAMLDecodable {
    /// `2027-01-01 00:00+00`, or `infinity`.
    public init(yaml node: YAMLNode) throws {
        let text = try String(yaml: node)
        if text == "infinity" {
            self = .never
            return
        }
        guard let moment = try? Moment(text) else {
            throw Diagnostic(
                "'\(text)' is no time with a zone", at: node.location,
                remedy: "write it like 2027-01-01 00:00:00+00, or infinity")
        }
        self = .at(moment)
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
