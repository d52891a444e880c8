import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Variables of the databases")
struct DatabaseContentDecodingTests {
    private static let variables =
        Sample.variables + [
            "postgresql_users: [{ name: app, password: pw, role: readers }, { name: readers, flags: 'NOLOGIN,BYPASSRLS' }, { name: x, flags: LOGIN }]",
            "postgresql_databases: [{ db: app, owner: app, lc_collate: C, conn_limit: 7 }]",
        ]

    private func configuration(_ lines: String...) throws -> ClusterConfiguration {
        try Sample.configuration(Sample.text(Self.variables + lines))
    }

    @Test("users may have no password, no login, and belong to others")
    func users() throws {
        let users = try configuration().users
        #expect(users.map(\.canLogIn) == [true, false, true])
        #expect(users.map { $0.password == nil } == [false, true, true])
        #expect(users.map(\.memberOf) == [["readers"], [], []])
        #expect(users.map(\.flags) == [[], [.bypassRowSecurity], []])
        let silent = try Sample.configuration(Sample.text(Sample.variables + ["postgresql_users: [{ name: g }]"])).users
        #expect(silent.map(\.canLogIn) == [nil])
    }

    @Test("users may inherit nothing, have few connections, and a password that expires")
    func attributes() throws {
        let users = try Sample.configuration(
            Sample.text(
                Sample.variables + [
                    "postgresql_users: [{ name: a, flags: NOINHERIT, conn_limit: 5, expires: '2027-01-15 09:00+01:00' }, "
                        + "{ name: b, flags: INHERIT, conn_limit: -1, expires: infinity }]"
                ])
        ).users
        #expect(users.map(\.inherits) == [false, true])
        #expect(users.map(\.connectionLimit) == [5, -1])
        #expect(users.map(\.expiry) == [.at(Moment(seconds: 1_800_000_000)), .never])
    }

    @Test(
        "attributes of a user that are wrong",
        arguments: [
            ("expires: '2027-01-15'", "'2027-01-15' is no time with a zone"),
            ("conn_limit: -2", "-2 is no number of connections"),
            ("flags: 'VALID UNTIL'", "write expires: '2027-01-01 00:00+00'"),
            ("flags: 'CONNECTION'", "write conn_limit: 5"),
        ])
    func wrongAttributes(key: String, expected: String) throws {
        #expect {
            try Sample.configuration(Sample.text(Sample.variables + ["postgresql_users: [{ name: a, \(key) }]"]))
        } throws: { "\($0)".contains(expected) }
    }

    @Test("schemas, extensions and privileges, as postgresql_cluster writes them")
    func content() throws {
        let content = try configuration(
            "postgresql_schemas: [{ schema: sales, db: app, owner: app }]",
            "postgresql_extensions: [{ ext: pg_trgm, db: app }, { ext: hstore, db: postgres, schema: public, version: '1.8' }]",
            "postgresql_privs: [{ role: readers, privs: SELECT, type: table, objs: ALL_IN_SCHEMA, schema: sales, db: app }, "
                + "{ role: PUBLIC, privs: [ALL], type: schema, objs: 'sales,public', db: app }, "
                + "{ role: app, privs: 'connect, temporary', type: database, db: app }, "
                + "{ role: pg_monitor, privs: SELECT, type: default_privs, objs: tables, target_roles: app, db: app }]"
        ).content
        #expect(content.schemas == [.init(database: "app", name: "sales", owner: "app")])
        #expect(content.extensions.map(\.version) == [nil, "1.8"])
        #expect(
            content.grants.map(\.objects) == [
                .relations(.tables, schema: "sales", names: []), .schemas(["sales", "public"]), .database,
                .future(.tables, schema: "public", owner: "app"),
            ])
        #expect(
            content.grants.map(\.privileges) == [
                ["SELECT"], ["USAGE", "CREATE"], ["CONNECT", "TEMPORARY"], ["SELECT"],
            ])
    }

    @Test("switches of extensions: package, library and extension in one")
    func switches() throws {
        let lines = [
            "postgresql_parameters: [{ option: shared_preload_libraries, value: 'auto_explain,pgaudit' }]",
            "postgresql_packages: [postgresql-15-cron]",
            "postgresql_extensions: [{ ext: postgis, db: app, schema: public }]", "enable_postgis: true",
            "enable_pgrouting: 'yes'", "enable_pg_cron: true", "enable_pgaudit: true", "enable_pg_repack: false",
            "enable_citus: false",
        ]
        let configuration = try Sample.configuration(Sample.text(Self.variables + lines))
        #expect(
            configuration.postgres.packages == [
                "postgresql-15-cron", "postgresql-15-postgis-3", "postgresql-15-pgrouting", "postgresql-15-pgaudit",
            ])
        #expect(
            configuration.postgres.parameters.map { "\($0.name)=\($0.value)" } == [
                "shared_preload_libraries=auto_explain,pgaudit,pg_cron"
            ])
        #expect(
            configuration.content.extensions.map { "\($0.database).\($0.name)" } == [
                "app.postgis", "app.pgrouting", "postgres.pg_cron", "app.pgaudit",
            ])
        let single = try Sample.configuration(Sample.text(Sample.variables + ["enable_pg_stat_kcache: true"]))
        #expect(single.content.extensions.map(\.name) == ["pg_stat_statements", "pg_stat_kcache"])
        #expect(single.content.extensions.map(\.database) == ["postgres", "postgres"])
    }

    @Test("switches of what no repository has", arguments: ["timescale", "citus", "pgvectorscale"])
    func unknownSwitch(name: String) {
        #expect {
            try configuration("enable_\(name): true")
        } throws: { "\($0)".contains("neither Debian nor PostgreSQL's own repository has a package of '\(name)'") }
    }

    @Test("ALL on tables has MAINTAIN since PostgreSQL 17; a list of all others has not")
    func all() throws {
        let content = try configuration(
            "postgresql_privs: [{ role: app, privs: ALL, type: table, objs: a, db: app }, "
                + "{ role: app, privs: ALL, type: database, db: app }, "
                + "{ role: app, privs: 'select,insert,update,delete,truncate,references,trigger', objs: b, type: table, db: app }]"
        ).content
        #expect(content.grants.map { $0.inVersion(15).privileges.count } == [7, 3, 7])
        #expect(content.grants.map { $0.inVersion(17).privileges.count } == [8, 3, 7])
        #expect(content.grants[0].inVersion(17).privileges.last == "MAINTAIN")
    }

    @Test("rules of access, pools and packages")
    func others() throws {
        let configuration = try configuration(
            "postgresql_pg_hba: [{ type: hostssl, database: 'app,\"b c\"', user: all, address: 10.0.0.0/8, method: cert, "
                + "options: clientcert=verify-full }, { type: local, database: all, user: app, address: '', method: peer }]",
            "pgbouncer_pools: [{ name: app, pool_parameters: 'pool_size=20 pool_mode=transaction' }, { name: r, dbname: app }]",
            "postgresql_packages: [postgresql-contrib-15, postgresql-15-cron]")
        #expect(
            configuration.postgres.accessRules.map(\.line) == [
                #"hostssl app,"b c" all 10.0.0.0/8 cert clientcert=verify-full"#, "local all app peer",
            ])
        #expect(configuration.pooler.pools.map(\.database) == [nil, "app"])
        #expect(configuration.pooler.pools[0].parameters.map(\.value) == ["20", "transaction"])
        #expect(configuration.postgres.packages == ["postgresql-15-cron"])
    }

    private static let faults: [(line: String, expected: String)] = [
        (
            "postgresql_schemas: [{ schema: s, db: ap, owner: app }]",
            "'ap' is not among postgresql_databases; did you mean 'app'?"
        ),
        (
            "postgresql_schemas: [{ schema: s, db: app, owner: nobody }]",
            "'nobody' is not among postgresql_users; add it there; without a password it is a role that nobody logs in as"
        ),
        (
            "postgresql_extensions: [{ ext: pg_cron, db: app }]",
            "the extension 'pg_cron' does nothing unless PostgreSQL loads it when it starts; "
                + "add { option: shared_preload_libraries, value: 'pg_cron' } to postgresql_parameters"
        ),
        (
            "postgresql_privs: [{ role: app, privs: EXECUTE, objs: t, db: app }]",
            "'EXECUTE' is no privilege on a table; "
                + "write ALL, or of SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER"
        ),
        (
            "postgresql_privs: [{ role: app, privs: ALL, objs: '', db: app }]",
            "nothing is named; name the objects in objs, or write ALL_IN_SCHEMA"
        ),
        (
            "postgresql_privs: [{ role: app, privs: ALL, type: default_privs, objs: TABLES, db: app }]",
            "default_privs are for TABLES or SEQUENCES of one owner; "
                + "write objs: TABLES, and target_roles: the role that will make them"
        ),
        (
            "postgresql_pg_hba: [{ type: host, database: all, user: all, method: trust }]",
            "the rule has no address; write an address, such as 10.0.0.0/8"
        ),
        (
            "postgresql_pg_hba: [{ type: host, database: 'a b', user: all, address: 0.0.0.0/0, method: md5 }]",
            "'a b' is not one field of pg_hba.conf; "
                + "separate names with commas, without blanks, and put odd ones into double quotes"
        ),
        (
            "pgbouncer_pools: [{ name: app, pool_parameters: 'poolsize=3' }]",
            "'poolsize=3' is no parameter of a pool; did you mean 'pool_size'?"
        ),
        (
            "postgresql_packages: ['a; b']",
            "'a; b' cannot name a package; use lower-case letters, digits, '+', '-' and '.'"
        ),
    ]

    @Test("what is wrong in them", arguments: faults)
    func fault(line: String, expected: String) throws {
        let directory = try TemporaryDirectory(["hosts.yml": Sample.text(Self.variables + [line])])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        #expect("\(diagnostics)".hasSuffix(expected), "\(diagnostics)")
    }

    @Test("a flag that there is not")
    func flag() throws {
        #expect {
            try Sample.configuration(Sample.text(Sample.variables + ["postgresql_users: [{ name: a, flags: SUPER }]"]))
        } throws: { "\($0)".contains("unknown flag 'SUPER' of a user") }
    }
}
