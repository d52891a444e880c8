extension ClusterConfiguration {
    /// What databases shall have in them.
    public struct Content: Sendable, Equatable {
        /// `postgresql_schemas`.
        public var schemas: [Schema] = []
        /// `postgresql_extensions`.
        public var extensions: [Extension] = []
        /// `postgresql_privs`.
        public var grants: [Grant] = []
    }

    /// A schema of a database.
    public struct Schema: Hashable, Sendable {
        public let database: String
        public let name: String
        public let owner: String
    }

    /// An extension of a database.
    public struct Extension: Hashable, Sendable {
        public let database: String
        public let name: String
        /// Where its objects are, or nil to leave that to the extension and to who has moved it.
        public let schema: String?
        /// Nil for the newest at first, and for what there is afterwards: an extension is never updated unasked.
        public let version: String?
    }

    /// What a role may do with objects of a database.
    public struct Grant: Hashable, Sendable {
        public let role: String
        public internal(set) var privileges: [String]
        public let database: String
        public let objects: Objects
        /// Whether the inventory says `ALL`, which stands for more in later versions.
        var isAll = false

        /// The objects that a grant is for.
        public enum Objects: Hashable, Sendable {
            /// The database itself.
            case database
            case schemas([String])
            /// Those of these names, or all that there are when no names are given.
            case relations(Kind, schema: String, names: [String])
            /// Those that the owner will make in the schema.
            case future(Kind, schema: String, owner: String)
        }

        /// The kind of objects in a schema.
        public enum Kind: String, CaseIterable, Sendable {
            case tables = "TABLES"
            case sequences = "SEQUENCES"
        }
    }

    /// The databases into which the inventory wants something besides the pooler's lookup.
    var databasesWithContent: [String] {
        let names =
            content.schemas.map(\.database) + content.extensions.map(\.database) + content.grants.map(\.database)
        return Set(names).sorted()
    }
}

extension ClusterConfiguration.Grant {
    /// The same with what `ALL` stands for in a major version. Source: PostgreSQL 17 release notes, `MAINTAIN`.
    func inVersion(_ version: Int) -> Self {
        var grant = self
        switch objects {
        case .relations(.tables, _, _), .future(.tables, _, _):
            if isAll, version >= 17 { grant.privileges.append("MAINTAIN") }
        default: break
        }
        return grant
    }
}

extension ClusterConfiguration.Grant.Objects {
    /// What `ALL` stands for (PostgreSQL 15, "Privileges").
    var privileges: [String] {
        switch self {
        case .database: ["CONNECT", "CREATE", "TEMPORARY"]
        case .schemas: ["USAGE", "CREATE"]
        case .relations(.tables, _, _), .future(.tables, _, _):
            ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
        case .relations(.sequences, _, _), .future(.sequences, _, _): ["USAGE", "SELECT", "UPDATE"]
        }
    }
}
