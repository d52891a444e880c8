import Engine
import Secrets

/// Ensures that a database exists on the leader and belongs to its owner.
struct PostgresDatabase: Resource {
    let database: ClusterConfiguration.Database
    let catalog: PostgresCatalog

    var name: String { "database \(database.name)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let identifier: SQLText = "\(identifier: database.name)"
        let owner: SQLText = "\(identifier: database.owner)"
        guard let present = try facts[catalog].databases[database.name] else {
            let limit: SQLText = database.connectionLimit.map { " CONNECTION LIMIT \($0)" } ?? ""
            return [
                change(
                    "create database \(database.name)",
                    "CREATE DATABASE \(identifier) OWNER \(owner)\(kind)\(limit);", as: .create)
            ]
        }
        var changes: [Change] = []
        if present.owner != database.owner {
            changes.append(
                change(
                    "set owner \(present.owner) → \(database.owner) of database \(database.name)",
                    "ALTER DATABASE \(identifier) OWNER TO \(owner);"))
        }
        if let limit = database.connectionLimit, limit != present.connectionLimit {
            changes.append(
                change(
                    "let database \(database.name) take \(limit) connections, not \(present.connectionLimit)",
                    "ALTER DATABASE \(identifier) CONNECTION LIMIT \(limit);"))
        }
        return changes
    }

    /// What was settled when the database was made cannot be changed.
    func notices(given facts: Facts) throws -> [String] {
        guard let present = try facts[catalog].databases[database.name] else { return [] }
        let settled = [
            ("encoding", database.encoding, present.encoding), ("lc_collate", database.collation, present.collation),
            ("lc_ctype", database.characters, present.characters),
        ]
        return settled.compactMap { name, wanted, there in
            guard let wanted, wanted != there else { return nil }
            return "database \(database.name) has \(name) \(there), not \(wanted): that was settled when it was made"
        }
    }

    /// The template that texts of every kind may be made from, when their kind is named.
    private var kind: SQLText {
        let words: [(SQLText, String?)] = [
            ("ENCODING", database.encoding), ("LC_COLLATE", database.collation), ("LC_CTYPE", database.characters),
        ]
        let settled = words.compactMap { word, value in value.map { " \(word) \(literal: $0)" as SQLText } }
        return settled.isEmpty ? "" : " TEMPLATE template0" + settled.joined()
    }

    private func change(_ summary: String, _ sql: SQLText, as kind: Change.Kind = .change) -> Change {
        Change(summary, kind, script: catalog.script(running: sql))
    }
}
