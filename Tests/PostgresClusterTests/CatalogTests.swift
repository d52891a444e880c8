import Engine
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Catalogue")
struct CatalogTests {
    static let catalog = PostgresCatalog(
        port: 5432, binaryDirectory: "/usr/lib/postgresql/15/bin", superuser: "postgres", databases: ["it's \"db\""],
        lookupRole: "pgbouncer")

    @Test("what psql prints")
    func answers() throws {
        let output = """
            question
            running|f|f
            access|0123456789abcdef0123456789abcdef|t
            role|SUPERUSER CREATEDB CREATEROLE LOGIN INHERIT|-1||SCRAM-SHA-256$4096:AA==$AA==:AA==|postgres
            role|LOGIN|5|1800000000000000||app
            role|INHERIT|-1||md5d8578edf8458ce06fbc5bb76a58c5ca4|a|b
            groups|{"app": ["a|b", "pg_monitor"]}
            database|{"template1" : {"owner" : "postgres", "encoding" : "UTF8", "collation" : "C", "characters" : "C", "connectionLimit" : -1}}
            database|{"a|b" : {"owner" : "app", "encoding" : "LATIN1", "collation" : "C", "characters" : "C", "connectionLimit" : 5}}
            lookup|template1
            lookup|a|b
            rewinder|replicator

            """
        let answer = try #require(PostgresCatalog.answers(to: [Self.catalog], from: output)[Self.catalog])
        #expect(answer.isRunning)
        #expect(!answer.isInRecovery)
        #expect(!answer.isStreaming)
        #expect(answer.accessDigest == "0123456789abcdef0123456789abcdef")
        #expect(answer.hasBrokenRules)
        #expect(
            answer.roles == [
                "postgres": .init(
                    flags: ["SUPERUSER", "CREATEDB", "CREATEROLE"], verifier: "SCRAM-SHA-256$4096:AA==$AA==:AA=="),
                "app": .init(
                    flags: [], verifier: "", inherits: false, connectionLimit: 5,
                    expiry: .at(Moment(seconds: 1_800_000_000)), groups: ["a|b", "pg_monitor"]),
                "a|b": .init(flags: [], canLogIn: false, verifier: "md5d8578edf8458ce06fbc5bb76a58c5ca4"),
            ])
        #expect(answer.databases["template1"]?.owner == "postgres")
        #expect(
            answer.databases["a|b"]
                == .init(owner: "app", encoding: "LATIN1", collation: "C", characters: "C", connectionLimit: 5))
        #expect(answer.lookups == ["template1", "a|b"])
        #expect(answer.rewinders == ["replicator"])
    }

    @Test("a server that does not answer, and a replica")
    func others() throws {
        let replica = PostgresCatalog(port: 1, binaryDirectory: "/b", superuser: "s", databases: [], lookupRole: "p")
        let answers = try PostgresCatalog.answers(
            to: [Self.catalog, replica], from: "question\nquestion\nrunning|t|t\n")
        #expect(answers[Self.catalog] == PostgresCatalog.Answer())
        #expect(answers[replica]?.isInRecovery == true)
        #expect(answers[replica]?.isStreaming == true)
    }

    @Test("what cannot be read", arguments: ["", "running|f|f\n", "question\nwhat\n", "question\nquestion\n"])
    func garbled(output: String) {
        #expect(throws: UnreadableAnswer.self) { try PostgresCatalog.answers(to: [Self.catalog], from: output) }
    }

    @Test("psql gets its options as words and the statements as they are, and may be missing")
    func script() async throws {
        let run = try await ShellRun.of(
            """
            runuser() { printf '[%s]' "$@"; echo; cat; }
            \(Self.catalog.script(running: "SELECT 'it''s $HOME `id` \\';", in: "two words").reveal())
            """)
        #expect(
            run.output == """
                [-u][postgres][--][env][PGOPTIONS=-c synchronous_commit=local -c search_path=pg_catalog -c role=none][/usr/lib/postgresql/15/bin/psql][-XAtq][-v][ON_ERROR_STOP=1][-F][|]\
                [-h][/var/run/postgresql][-p][5432][-U][postgres][-d][two words][-f][-]
                SELECT 'it''s $HOME `id` \\';

                """)
        let missing = try await ShellRun.of(
            "runuser() { cat; return 127; }\n\(PostgresCatalog.script(for: [Self.catalog]))")
        #expect(missing.output.hasPrefix("question\nSELECT 'running'"))
        #expect(missing.output.contains(#"\connect "it's ""db""""#))
    }

    @Test(
        "names and texts of SQL",
        arguments: [
            ("app", #""app""#, "'app'"), ("it's", #""it's""#, "'it''s'"), (#"a"b"#, #""a""b""#, #"'a"b'"#),
            ("\"\u{301}", "\"\"\"\u{301}\"", "'\"\u{301}'"), ("'\u{301}", "\"'\u{301}\"", "'''\u{301}'"),
        ])
    func sql(text: String, identifier: String, literal: String) {
        // Compared as bytes: a quote with an accent is one character, but still a quote to PostgreSQL.
        #expect(Array(("\(identifier: text)" as SQLText).reveal().utf8) == Array(identifier.utf8))
        #expect(Array(("\(literal: text)" as SQLText).reveal().utf8) == Array(literal.utf8))
    }
}
