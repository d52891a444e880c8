import Engine
import Secrets

/// Ensures that a role belongs to another one, and so has its privileges.
struct PostgresMembership: Resource {
    let role: String
    let group: String
    let catalog: PostgresCatalog

    var name: String { "role \(role) in \(group)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[catalog].roles[role]?.groups.contains(group) ?? false { return [] }
        let sql: SQLText = "GRANT \(identifier: group) TO \(identifier: role);"
        return [Change("put role \(role) into \(group)", script: catalog.script(running: sql))]
    }
}
