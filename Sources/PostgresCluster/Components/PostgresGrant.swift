import Drover
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
            Change("grant \(name)", script: contents.catalog.script(running: MaskedText(statement), in: grant.database))
        ]
    }

    private var words: String { grant.privileges.joined(separator: ", ") }

    private var role: String { grant.role == "PUBLIC" ? "PUBLIC" : SQL.identifier(grant.role) }

    private var statement: String {
        switch grant.objects {
        case .database: "GRANT \(words) ON DATABASE \(SQL.identifier(grant.database)) TO \(role);"
        case .schemas(let names): "GRANT \(words) ON SCHEMA \(list(names)) TO \(role);"
        case .relations(let kind, let schema, let names):
            names.isEmpty
                ? "GRANT \(words) ON ALL \(kind.rawValue) IN SCHEMA \(SQL.identifier(schema)) TO \(role);"
                : "GRANT \(words) ON \(kind.singular) \(list(names, in: schema)) TO \(role);"
        case .future(let kind, let schema, let owner):
            "ALTER DEFAULT PRIVILEGES FOR ROLE \(SQL.identifier(owner)) IN SCHEMA \(SQL.identifier(schema)) "
                + "GRANT \(words) ON \(kind.rawValue) TO \(role);"
        }
    }

    private func list(_ names: [String], in schema: String? = nil) -> String {
        names.map { (schema.map { SQL.identifier($0) + "." } ?? "") + SQL.identifier($0) }.joined(separator: ", ")
    }
}

extension ClusterConfiguration.Grant.Kind {
    fileprivate var singular: String { self == .tables ? "TABLE" : "SEQUENCE" }
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
