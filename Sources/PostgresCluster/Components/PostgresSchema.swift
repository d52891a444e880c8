import Engine
import Secrets

/// Ensures that a database has a schema, and that it belongs to its owner.
struct PostgresSchema: Resource {
    let schema: ClusterConfiguration.Schema
    let contents: DatabaseContents

    var name: String { "schema \(schema.name) in \(schema.database)" }

    var questions: [any Fact] { [contents] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let owner = try facts[contents][schema.database]?.schemas[schema.name]
        if owner == schema.owner { return [] }
        let (identifier, role): (SQLText, SQLText) = ("\(identifier: schema.name)", "\(identifier: schema.owner)")
        guard let owner else {
            return [change("create \(name)", "CREATE SCHEMA \(identifier) AUTHORIZATION \(role);", as: .create)]
        }
        return [
            change(
                "set owner \(owner) → \(schema.owner) of \(name)", "ALTER SCHEMA \(identifier) OWNER TO \(role);")
        ]
    }

    private func change(_ summary: String, _ sql: SQLText, as kind: Change.Kind = .change) -> Change {
        Change(summary, kind, script: contents.catalog.script(running: sql, in: schema.database))
    }
}
