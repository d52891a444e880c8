import Engine
import Secrets

/// Ensures that a database has an extension, in the schema and the version that are named.
struct PostgresExtension: Resource {
    let `extension`: ClusterConfiguration.Extension
    let contents: DatabaseContents

    var name: String { "extension \(`extension`.name) in \(`extension`.database)" }

    var questions: [any Fact] { [contents] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let identifier: SQLText = "\(identifier: `extension`.name)"
        let (schema, version) = (`extension`.schema, `extension`.version)
        guard let present = try facts[contents][`extension`.database]?.extensions[`extension`.name] else {
            let place: SQLText = schema.map { " SCHEMA \(identifier: $0)" } ?? ""
            let which: SQLText = version.map { " VERSION \(literal: $0)" } ?? ""
            // Without a schema it goes to the first one of the search path, unless the extension has one of its own.
            return [
                change(
                    "create \(name)",
                    "SET search_path = public; CREATE EXTENSION \(identifier)\(place)\(which);", as: .create)
            ]
        }
        var changes: [Change] = []
        if let schema, present.schema != schema {
            changes.append(
                change(
                    "move \(name) from schema \(present.schema) to \(schema)",
                    "ALTER EXTENSION \(identifier) SET SCHEMA \(identifier: schema);"))
        }
        if let version, present.version != version {
            changes.append(
                change(
                    "update \(name) from \(present.version) to \(version)",
                    "ALTER EXTENSION \(identifier) UPDATE TO \(literal: version);"))
        }
        return changes
    }

    private func change(_ summary: String, _ sql: SQLText, as kind: Change.Kind = .change) -> Change {
        Change(summary, kind, script: contents.catalog.script(running: sql, in: `extension`.database))
    }
}
