import Engine
import Secrets

/// Ensures that a role may read the files of the leader that `pg_rewind` reads.
///
/// The replication role reads the whole data directory anyway, by a base backup. So it gains nothing, and no member needs to
/// log in to another one as the superuser.
/// Source: PostgreSQL 15 documentation, "pg_rewind", Notes. Patroni grants the same when it makes a cluster.
struct RewindRights: Resource {
    let role: String
    let catalog: PostgresCatalog

    static let functions: [SQLText] = [
        "pg_catalog.pg_ls_dir(text, boolean, boolean)", "pg_catalog.pg_stat_file(text, boolean)",
        "pg_catalog.pg_read_binary_file(text)", "pg_catalog.pg_read_binary_file(text, bigint, bigint, boolean)",
    ]

    var name: String { "rewind rights of \(role)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let catalogue = try facts[catalog]
        if catalogue.rewinders.contains(role) || catalogue.roles[role]?.flags.contains("SUPERUSER") ?? false {
            return []
        }
        let statement: SQLText =
            "GRANT EXECUTE ON FUNCTION \(RewindRights.functions.joined(separator: ", ")) TO \(identifier: role);"
        return [
            Change("let role \(role) read what pg_rewind reads", script: catalog.script(running: statement))
        ]
    }
}
