import Drover
import Secrets

/// Ensures that a database exists on the leader and belongs to its owner.
struct PostgresDatabase: Resource {
    let database: ClusterConfiguration.Database
    let catalog: PostgresCatalog

    var name: String { "database \(database.name)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let identifier = SQL.identifier(database.name)
        let owner = SQL.identifier(database.owner)
        guard let present = try facts[catalog].databases[database.name] else {
            return [
                Change(
                    "create database \(database.name)",
                    script: catalog.script(running: MaskedText("CREATE DATABASE \(identifier) OWNER \(owner);")))
            ]
        }
        if present == database.owner { return [] }
        return [
            Change(
                "set owner \(present) → \(database.owner) of database \(database.name)",
                script: catalog.script(running: MaskedText("ALTER DATABASE \(identifier) OWNER TO \(owner);")))
        ]
    }
}
