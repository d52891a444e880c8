import Engine
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("What databases have in them")
struct DatabaseContentTests {
    private static let catalog = CatalogTests.catalog
    private static let grants: [ClusterConfiguration.Grant] = [
        .init(role: "app", privileges: ["CONNECT"], database: "app", objects: .database),
        .init(role: "PUBLIC", privileges: ["USAGE"], database: "app", objects: .schemas(["a\"b", "c"])),
        .init(
            role: "r", privileges: ["SELECT", "INSERT"], database: "app",
            objects: .relations(.tables, schema: "s", names: [])),
        .init(
            role: "r", privileges: ["USAGE"], database: "other",
            objects: .relations(.sequences, schema: "s", names: ["t", "u"])),
        .init(role: "r", privileges: ["SELECT"], database: "app", objects: .future(.tables, schema: "s", owner: "app")),
    ]
    private static let contents = DatabaseContents(catalog: catalog, databases: ["app", "other"], grants: grants)

    private func facts(_ answer: DatabaseContents.Answer) -> Facts {
        var facts = Facts()
        facts.record(answer, to: Self.contents)
        return facts
    }

    private static func content(
        schemas: [String: String] = [:], extensions: [String: DatabaseContents.Content.Extension] = [:],
        grants: [Int] = []
    ) -> DatabaseContents.Answer {
        ["app": .init(database: "app", schemas: schemas, extensions: extensions, grants: grants)]
    }

    /// The statements of the changes, without the shell text around them.
    private func statements(_ resource: any Resource, _ answer: DatabaseContents.Answer) throws -> [String] {
        try resource.changes(given: facts(answer), after: PendingEffects()).map { change in
            #expect(change.script.description.contains(" -d app ") || change.script.description.contains(" -d other "))
            return change.script.description.linesOfText.dropFirst().dropLast().joined(separator: "\n")
        }
    }

    // MARK: Questions

    @Test("a line for each database, and none where the server does not answer")
    func answers() throws {
        let output = """
            question
            {"database" : "app", "schemas" : {"public":"pg_database_owner"}, "extensions" : \
            {"plpgsql":{"version" : "1.0", "schema" : "pg_catalog"}}, "grants" : [0, 2]}
            question
            """
        let other = DatabaseContents(catalog: Self.catalog, databases: ["x"], grants: [])
        let answers = try DatabaseContents.answers(to: [Self.contents, other], from: output)
        #expect(
            answers[Self.contents]
                == Self.content(
                    schemas: ["public": "pg_database_owner"],
                    extensions: ["plpgsql": .init(version: "1.0", schema: "pg_catalog")], grants: [0, 2]))
        #expect(answers[other] == [:])
    }

    @Test("what cannot be read", arguments: ["", "{}\n", "question\npsql: error\n", "question\nquestion\n"])
    func garbled(output: String) {
        #expect(throws: UnreadableAnswer.self) { try DatabaseContents.answers(to: [Self.contents], from: output) }
    }

    @Test("each database is asked only for its own, in the orders of psql")
    func script() async throws {
        let run = try await ShellRun.of("runuser() { cat; }\n\(DatabaseContents.script(for: [Self.contents]))")
        #expect(run.output.hasPrefix("question\nSELECT EXISTS"))
        #expect(run.output.contains("AS there \\gset\n\\if :there\n\\connect \"app\"\nSELECT json_build_object("))
        #expect(run.output.contains("(2, (SELECT coalesce(bool_and(coalesce(has_table_privilege("))
        let parts = run.output.split(separator: "\\connect \"other\"")
        #expect(parts.count == 2)
        #expect(parts[1].contains("(3, (SELECT count(*) = 2 AND") && !parts[1].contains("(2, "))
    }

    // MARK: Resources

    @Test(
        "a schema",
        arguments: [
            ([:], [#"CREATE SCHEMA "sales" AUTHORIZATION "app";"#]), (["sales": "app"], []),
            (["sales": "postgres"], [#"ALTER SCHEMA "sales" OWNER TO "app";"#]),
        ] as [([String: String], [String])])
    func schema(present: [String: String], expected: [String]) throws {
        let schema = PostgresSchema(
            schema: .init(database: "app", name: "sales", owner: "app"), contents: Self.contents)
        #expect(try statements(schema, Self.content(schemas: present)) == expected)
    }

    private static let extensions:
        [(schema: String?, version: String?, present: [String: String], statements: [String])] = [
            (nil, nil, [:], [#"SET search_path = public; CREATE EXTENSION "pg_trgm";"#]),
            ("m", "1.6", [:], [#"SET search_path = public; CREATE EXTENSION "pg_trgm" SCHEMA "m" VERSION '1.6';"#]),
            (nil, nil, ["1.5": "public"], []),
            ("public", "1.5", ["1.5": "public"], []),
            (
                "m", "1.6", ["1.5": "public"],
                [#"ALTER EXTENSION "pg_trgm" SET SCHEMA "m";"#, #"ALTER EXTENSION "pg_trgm" UPDATE TO '1.6';"#]
            ),
        ]

    @Test("an extension", arguments: extensions)
    func `extension`(schema: String?, version: String?, present: [String: String], expected: [String]) throws {
        let item = PostgresExtension(
            extension: .init(database: "app", name: "pg_trgm", schema: schema, version: version),
            contents: Self.contents)
        let there = present.map { ("pg_trgm", DatabaseContents.Content.Extension(version: $0, schema: $1)) }
        #expect(try statements(item, Self.content(extensions: Dictionary(uniqueKeysWithValues: there))) == expected)
    }

    private static let orders = [
        #"GRANT CONNECT ON DATABASE "app" TO "app";"#,
        #"GRANT USAGE ON SCHEMA "a""b", "c" TO PUBLIC;"#,
        #"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA "s" TO "r";"#,
        #"GRANT USAGE ON SEQUENCE "s"."t", "s"."u" TO "r";"#,
        #"ALTER DEFAULT PRIVILEGES FOR ROLE "app" IN SCHEMA "s" GRANT SELECT ON TABLES TO "r";"#,
    ]

    @Test("a privilege is granted where it is not held", arguments: orders.indices)
    func grant(number: Int) throws {
        let grant = PostgresGrant(grant: Self.grants[number], contents: Self.contents)
        let others = Array(Self.grants.indices.filter { $0 != number })
        #expect(try statements(grant, Self.content(grants: others)) == [Self.orders[number]])
        let database = Self.grants[number].database
        let held = [
            database: DatabaseContents.Content(database: database, schemas: [:], extensions: [:], grants: [number])
        ]
        #expect(try statements(grant, held) == [])
    }

    @Test("a role is put into another once")
    func membership() throws {
        let membership = PostgresMembership(role: "app", group: "readers", catalog: Self.catalog)
        var facts = Facts()
        facts.record(.init(roles: ["app": .init(flags: [], verifier: "", groups: ["readers"])]), to: Self.catalog)
        #expect(try membership.changes(given: facts, after: PendingEffects()).isEmpty)
        facts.record(.init(roles: ["app": .init(flags: [], verifier: "")]), to: Self.catalog)
        let change = try #require(try membership.changes(given: facts, after: PendingEffects()).first)
        #expect(change.script.description.contains(#"GRANT "readers" TO "app";"#))
    }
}
