import Engine
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Roles, databases and the lookup")
struct CatalogResourceTests {
    private static let catalog = CatalogTests.catalog
    private static let password = Secret("it's a password")

    private func facts(_ answer: PostgresCatalog.Answer) -> Facts {
        var facts = Facts()
        facts.record(answer, to: Self.catalog)
        return facts
    }

    /// The statements of a change, without the shell text around them.
    private func statements(_ change: Change) -> String {
        let lines = change.script.description.linesOfText
        return lines.dropFirst().dropLast().joined(separator: "\n")
    }

    private struct RoleRow: Sendable {
        var what: String
        /// The flags and the password that the role has; nil when there is none.
        var present: (flags: Set<String>, password: Secret)?
        var flags: [ClusterConfiguration.Role.Flag]?
        var summaries: [String] = []
        var statements: [String] = []
    }

    private static let roles: [RoleRow] = [
        RoleRow(what: "as wanted", present: (["CREATEDB"], password), flags: [.createDatabase]),
        RoleRow(what: "its flags do not matter", present: (["SUPERUSER"], password), flags: nil),
        RoleRow(
            what: "missing", flags: [.createDatabase], summaries: ["create role a\"b"],
            statements: [
                "CREATE ROLE \"a\"\"b\" LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ‹secret›;"
            ]),
        RoleRow(
            what: "missing, any flags", flags: nil, summaries: ["create role a\"b"],
            statements: ["CREATE ROLE \"a\"\"b\" LOGIN PASSWORD ‹secret›;"]),
        RoleRow(
            what: "a flag too few", present: ([], password), flags: [.superuser, .createRole],
            summaries: ["set the flags of role a\"b"],
            statements: ["ALTER ROLE \"a\"\"b\" SUPERUSER NOCREATEDB CREATEROLE NOREPLICATION NOBYPASSRLS;"]),
        RoleRow(
            what: "a flag too many", present: (["SUPERUSER"], password), flags: [],
            summaries: ["set the flags of role a\"b"],
            statements: ["ALTER ROLE \"a\"\"b\" NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;"]),
        RoleRow(
            what: "another password", present: ([], Secret("other")), flags: [],
            summaries: ["set the password of role a\"b"],
            statements: ["ALTER ROLE \"a\"\"b\" PASSWORD ‹secret›;"]),
        RoleRow(
            what: "both", present: (["SUPERUSER"], Secret("other")), flags: [],
            summaries: ["set the flags of role a\"b", "set the password of role a\"b"],
            statements: [
                "ALTER ROLE \"a\"\"b\" NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;",
                "ALTER ROLE \"a\"\"b\" PASSWORD ‹secret›;",
            ]),
    ]

    @Test("a role", arguments: roles)
    private func role(row: RoleRow) throws {
        var answer = PostgresCatalog.Answer()
        if let present = row.present {
            let verifier = ScramVerifier(of: present.password).text.reveal()
            answer.roles["a\"b"] = .init(flags: present.flags, verifier: verifier)
        }
        let role = PostgresRole(role: "a\"b", password: Self.password, flags: row.flags, catalog: Self.catalog)
        let changes = try role.changes(given: facts(answer), after: PendingEffects())
        #expect(changes.map(\.summary) == row.summaries, "\(row.what)")
        #expect(changes.map(statements) == row.statements, "\(row.what)")
    }

    @Test("a role that cannot log in is let in, not made a second time")
    func noLogin() throws {
        var answer = PostgresCatalog.Answer()
        answer.roles["app"] = .init(
            flags: [], canLogIn: false, verifier: ScramVerifier(of: Self.password).text.reveal())
        let role = PostgresRole(role: "app", password: Self.password, flags: [], catalog: Self.catalog)
        let changes = try role.changes(given: facts(answer), after: PendingEffects())
        #expect(changes.map(\.summary) == ["let role app log in"])
        #expect(changes.map(statements) == ["ALTER ROLE \"app\" LOGIN;"])
    }

    @Test("attributes with a value are set when the role is made, and when they differ")
    func attributes() throws {
        let role = PostgresRole(
            role: "app", password: nil, flags: [], canLogIn: nil, inherits: false, connectionLimit: 5,
            expiry: .at(Moment(seconds: 1_800_000_000)), catalog: Self.catalog)
        #expect(
            try role.changes(given: facts(.init()), after: PendingEffects()).map(statements) == [
                "CREATE ROLE \"app\" NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT "
                    + "CONNECTION LIMIT 5 VALID UNTIL '2027-01-15 08:00:00.000000+00';"
            ])
        var answer = PostgresCatalog.Answer()
        answer.roles["app"] = .init(flags: [], verifier: "")
        let changes = try role.changes(given: facts(answer), after: PendingEffects())
        #expect(
            changes.map(\.summary) == [
                "let role app no longer inherit privileges", "set the connection limit of role app: -1 → 5",
                "set the expiry of role app's password",
            ])
        answer.roles["app"] = .init(
            flags: [], verifier: "", inherits: false, connectionLimit: 5, expiry: .at(Moment(seconds: 1_800_000_000)))
        #expect(try role.changes(given: facts(answer), after: PendingEffects()).isEmpty)
    }

    @Test("the server gets a verifier, never the password")
    func verifier() throws {
        let role = PostgresRole(role: "app", password: Self.password, flags: nil, catalog: Self.catalog)
        let change = try #require(try role.changes(given: facts(.init()), after: PendingEffects()).first)
        let script = change.script.reveal()
        #expect(!script.contains("it's a password") && !script.contains("it''s a password"))
        let text = try #require(script.split(separator: "PASSWORD '").last?.split(separator: "'").first)
        #expect(try #require(ScramVerifier(String(text))).matches(Self.password))
    }

    @Test("a verifier of another kind is replaced", arguments: ["", "md5d8578edf8458ce06fbc5bb76a58c5ca4"])
    func oldVerifier(text: String) throws {
        var answer = PostgresCatalog.Answer()
        answer.roles["app"] = .init(flags: [], verifier: text)
        let role = PostgresRole(role: "app", password: Self.password, flags: nil, catalog: Self.catalog)
        let changes = try role.changes(given: facts(answer), after: PendingEffects())
        #expect(changes.map(\.summary) == ["set the password of role app"])
    }

    private static let databases: [(owner: String?, summaries: [String], statements: [String])] = [
        ("app", [], []),
        (nil, ["create database it's"], [#"CREATE DATABASE "it's" OWNER "app";"#]),
        (
            "postgres", ["set owner postgres → app of database it's"], [#"ALTER DATABASE "it's" OWNER TO "app";"#]
        ),
    ]

    @Test("a database", arguments: databases)
    func database(owner: String?, summaries: [String], statements: [String]) throws {
        var answer = PostgresCatalog.Answer()
        answer.databases["it's"] = owner.map { .init(owner: $0) }
        let database = PostgresDatabase(database: .init(name: "it's", owner: "app"), catalog: Self.catalog)
        let changes = try database.changes(given: facts(answer), after: PendingEffects())
        #expect(changes.map(\.summary) == summaries)
        #expect(changes.map(self.statements) == statements)
    }

    @Test("the lookup of PgBouncer", arguments: [(true, 0), (false, 1)])
    func lookup(isAllowed: Bool, count: Int) throws {
        var answer = PostgresCatalog.Answer()
        answer.lookups = isAllowed ? ["app"] : ["template1"]
        let lookup = PoolerLookup(database: "app", login: "pg\"b", catalog: Self.catalog)
        let changes = try lookup.changes(given: facts(answer), after: PendingEffects())
        #expect(changes.map(\.summary) == Array(repeating: #"let pg"b look up passwords in app"#, count: count))
        for change in changes {
            #expect(change.script.description.contains(" -d app -f -"))
            #expect(
                statements(change)
                    == #"GRANT SELECT (rolname, rolpassword, rolcanlogin, rolvaliduntil) ON pg_catalog.pg_authid TO "pg""b";"#
            )
        }
    }

    @Test("databases that an earlier version has set up get the lookup with the template; a hostile one ends nothing")
    func lookupEverywhere() async throws {
        let lookup = PoolerLookup(database: "template1", login: "pgbouncer", catalog: Self.catalog)
        let change = try #require(
            try lookup.changes(given: facts(PostgresCatalog.Answer()), after: PendingEffects()).first)
        let run = try await ShellRun.of(
            """
            runuser() {
                case $* in
                *' -d postgres '*) cat >/dev/null; printf '%s\\n' app "it's \\" \\$HOME" lair ;;
                *) echo "${PGDATABASE-template}: $(cat)"; [ "${PGDATABASE-}" != lair ] ;;
                esac
            }
            set -e
            \(change.script.reveal())
            """)
        let grant =
            #"GRANT SELECT (rolname, rolpassword, rolcanlogin, rolvaliduntil) ON pg_catalog.pg_authid TO "pgbouncer";"#
        #expect(
            run.output.linesOfText == [
                "app: \(grant)", #"it's " $HOME: \#(grant)"#, "lair: \(grant)", "not in the database lair",
                "template: \(grant)",
            ])
    }

    @Test(
        "who rewinds may read the leader's files, and is no superuser for it",
        arguments: [(["replicator"], [], 0), ([], ["SUPERUSER"], 0), ([], [], 1)] as [([String], Set<String>, Int)])
    func rewind(rewinders: [String], flags: Set<String>, count: Int) throws {
        var answer = PostgresCatalog.Answer()
        answer.rewinders = Set(rewinders)
        answer.roles["replicator"] = .init(flags: flags, verifier: "")
        let changes = try RewindRights(role: "replicator", catalog: Self.catalog)
            .changes(given: facts(answer), after: PendingEffects())
        #expect(changes.count == count)
        #expect(changes.allSatisfy { $0.summary == "let role replicator read what pg_rewind reads" })
    }

    @Test("a standby cluster tells which rights its source has not granted")
    func source() throws {
        let rights = SourceRights(pooler: "pgbouncer", replication: "replicator", catalog: Self.catalog)
        var answer = PostgresCatalog.Answer()
        #expect(try rights.notices(given: facts(answer)) == [])
        answer.isRunning = true
        #expect(
            try rights.notices(given: facts(answer)) == [
                "the role pgbouncer may not look up passwords, so the pooler serves no client: apply deploy-cluster to "
                    + "the source cluster",
                "the role replicator may not read what pg_rewind reads: apply deploy-cluster to the source cluster",
            ])
        answer.lookups = ["postgres"]
        answer.rewinders = ["replicator"]
        #expect(try rights.notices(given: facts(answer)) == [])
    }
}
