import Engine
import Secrets

/// Ensures that PgBouncer may read the password verifiers of roles in a database.
///
/// PgBouncer 1.18 runs its query in the database that the client names, which may belong to anybody. So the query must run no
/// code of that database: no function, and no operator that `search_path` finds. It reads `pg_authid` itself, whose rows no
/// owner of a database can change. `template1` hands the right down to databases that are created later.
struct PoolerLookup: Resource {
    let database: String
    /// The role that PgBouncer asks as.
    let login: String
    let catalog: PostgresCatalog

    /// The query of PgBouncer.
    ///
    /// An expired password is none: PostgreSQL checks that only when the pooler opens a connection, and the pooler has open ones
    /// (CVE-2025-2291). The superuser of the cluster does not log in through the pooler, which hides the address of its client
    /// from `pg_hba.conf`.
    static func query(without superuser: String) -> SQLText {
        """
        SELECT rolname, CASE WHEN rolvaliduntil OPERATOR(pg_catalog.<) pg_catalog.now() THEN NULL ELSE rolpassword END \
        FROM pg_catalog.pg_authid WHERE rolname OPERATOR(pg_catalog.=) $1 \
        AND rolcanlogin AND rolname OPERATOR(pg_catalog.<>) \(literal: superuser)
        """
    }

    static let columns = ["rolname", "rolpassword", "rolcanlogin", "rolvaliduntil"]

    var name: String { "pooler lookup in \(database)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[catalog].lookups.contains(database) { return [] }
        let right = catalog.script(running: grant, in: database)
        guard database == "template1" else {
            return [Change("let \(login) look up passwords in \(database)", script: right)]
        }
        let rights = catalog.script(running: grant, inAllDatabasesBut: [database]) + right
        return [Change("let \(login) look up passwords in \(database) and all databases", script: rights)]
    }

    private var grant: SQLText {
        let columns = PoolerLookup.columns.map { "\(trusted: $0, because: "these are written above")" as SQLText }
        return "GRANT SELECT (\(columns.joined(separator: ", "))) ON pg_catalog.pg_authid "
            + "TO \(identifier: login);"
    }
}
