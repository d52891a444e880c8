import Engine
import Secrets

/// Ensures that a role has privileges on objects of a database. It takes none away.
struct PostgresGrant: Resource {
    let grant: ClusterConfiguration.Grant
    let contents: DatabaseContents

    var name: String { "\(words) on \(grant.objects.words) in \(grant.database) for \(grant.role)" }

    var questions: [any Fact] { [contents] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let held = try facts[contents][grant.database]?.grants ?? []
        if held.contains(where: { contents.grants[$0] == grant }) { return [] }
        return [
            Change("grant \(name)", script: contents.catalog.script(running: statement, in: grant.database))
        ]
    }

    private var words: String { grant.privileges.joined(separator: ", ") }

    private var role: SQLText { grant.role == "PUBLIC" ? "PUBLIC" : "\(identifier: grant.role)" }

    private var statement: SQLText {
        let words: SQLText = "\(trusted: words, because: "only privileges that PostgreSQL has are decoded")"
        return switch grant.objects {
        case .database: "GRANT \(words) ON DATABASE \(identifier: grant.database) TO \(role);"
        case .schemas(let names): "GRANT \(words) ON SCHEMA \(list(names)) TO \(role);"
        case .relations(let kind, let schema, let names):
            names.isEmpty
                ? "GRANT \(words) ON ALL \(kind.keyword) IN SCHEMA \(identifier: schema) TO \(role);"
                : "GRANT \(words) ON \(kind.singular) \(list(names, in: schema)) TO \(role);"
        case .future(let kind, let schema, let owner):
            "ALTER DEFAULT PRIVILEGES FOR ROLE \(identifier: owner) IN SCHEMA \(identifier: schema) "
                + "GRANT \(words) ON \(kind.keyword) TO \(role);"
        }
    }

    private func list(_ names: [String], in schema: String? = nil) -> SQLText {
        let prefix: SQLText = schema.map { "\(identifier: $0)." } ?? ""
        return names.map { "\(prefix)\(identifier: $0)" as SQLText }.joined(separator: ", ")
    }
}

extension ClusterConfiguration.Grant.Kind {
    fileprivate var singular: SQLText { self == .tables ? "TABLE" : "SEQUENCE" }
    fileprivate var keyword: SQLText { self == .tables ? "TABLES" : "SEQUENCES" }
}

extension ClusterConfiguration.Grant.Objects {
    fileprivate var words: String {
        switch self {
        case .database: "the database"
        case .schemas(let names): "schema \(names.joined(separator: ", "))"
        case .relations(let kind, let schema, let names):
            names.isEmpty ? "all \(kind.rawValue.lowercased()) of \(schema)" : names.joined(separator: ", ")
        case .future(let kind, let schema, let owner): "future \(kind.rawValue.lowercased()) of \(owner) in \(schema)"
        }
    }
}
