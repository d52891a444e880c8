import Crypto
import Drover
import Secrets

/// Ensures that a database has the function by which PgBouncer looks up the password verifier of who logs in.
///
/// PgBouncer 1.18 asks in the database that the client wants, so every database needs it; `template1` gives it to those
/// made later.
struct PoolerLookup: Resource {
    let database: String
    /// The role that may call it.
    let login: String
    let catalog: PostgresCatalog

    static let function = "pgbouncer.user_search"

    private static let body =
        "SELECT rolname, rolpassword FROM pg_catalog.pg_authid WHERE rolname = uname AND rolcanlogin"

    var name: String { "pooler lookup in \(database)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[catalog].lookups[database] == PoolerLookup.digest { return [] }
        return [
            Change(
                "define \(PoolerLookup.function) in \(database)",
                script: catalog.script(running: MaskedText(sql), in: database))
        ]
    }

    private static var digest: String { Insecure.MD5.hash(data: Array(body.utf8)).hexadecimal }

    private var sql: String {
        let login = SQL.identifier(login)
        return """
            BEGIN;
            CREATE SCHEMA IF NOT EXISTS pgbouncer;
            CREATE OR REPLACE FUNCTION \(PoolerLookup.function)(uname text)
                RETURNS TABLE (usename name, passwd text)
                LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
                AS '\(PoolerLookup.body)';
            REVOKE ALL ON FUNCTION \(PoolerLookup.function)(text) FROM PUBLIC;
            GRANT USAGE ON SCHEMA pgbouncer TO \(login);
            GRANT EXECUTE ON FUNCTION \(PoolerLookup.function)(text) TO \(login);
            COMMIT;
            """
    }
}
