import Diagnostics
public import YAML

extension ClusterConfiguration.Pooler {
    /// A database as clients of the pooler know it.
    public struct Pool: Sendable, Equatable {
        public let name: String
        /// The database of the server; nil when it has the same name.
        public let database: String?
        public let parameters: [Parameter]

        /// A parameter of the connection string.
        public struct Parameter: Sendable, Equatable {
            public let name: String
            public let value: String
        }

        /// What may stand behind a database (PgBouncer 1.18, "Section [databases]"), but for where it is and who logs in.
        static let known: Set = [
            "pool_size", "min_pool_size", "reserve_pool", "connect_query", "pool_mode", "max_db_connections",
            "client_encoding", "datestyle", "timezone", "application_name",
        ]
    }
}

extension ClusterConfiguration.Pooler {
    /// How many connections the pooler opens to a database at most, for each user: the sum of the pools that lead there.
    func poolSize(of database: String) -> Int {
        let leading = pools.filter { ($0.database ?? $0.name) == database }
        if leading.isEmpty { return defaultPoolSize }
        return leading.reduce(0) { sum, pool in
            sum + (pool.parameters.last { $0.name == "pool_size" }.flatMap { Int($0.value) } ?? defaultPoolSize)
        }
    }
}

extension ClusterConfiguration.Pooler.Pool: YAMLDecodable {
    /// `{ name: app, dbname: app, pool_parameters: 'pool_size=20 pool_mode=transaction' }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a pool")
        let name: String? = reader.required("name")
        let database: String? = reader.optional("dbname")
        let text: String = reader.optional("pool_parameters") ?? ""
        var parameters: [Parameter] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, Self.known.contains(parts[0]), !parts[1].utf8.contains(UInt8(ascii: "'"))
            else {
                reader.diagnostics.report(
                    "'\(word)' is no parameter of a pool", at: node.location,
                    remedy: Suggestion.remedy(for: parts.first ?? "", among: Self.known)
                        ?? "write NAME=VALUE, of \(Self.known.sorted().joined(separator: ", "))")
                continue
            }
            parameters.append(Parameter(name: parts[0], value: parts[1]))
        }
        for text in [name, database].compactMap(\.self) where text.wholeMatch(of: /[A-Za-z0-9_.-]+/) == nil {
            reader.diagnostics.report(
                "'\(text)' cannot be a database of the pooler", at: node.location,
                remedy: "use letters, digits, '_', '.' and '-'")
        }
        let pool = try reader.finish(name)
        self.init(name: pool, database: database, parameters: parameters)
    }
}
