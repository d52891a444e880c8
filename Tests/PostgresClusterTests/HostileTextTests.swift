import ArgumentParser
import Diagnostics
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import Engine
@testable import PostgresCluster

/// Wrong input reaches no host, whatever characters it is made of.
@Suite("Hostile text")
struct HostileTextTests {
    @Test(
        "line breaks and control characters are refused wherever they stand",
        arguments: [
            #"postgresql_users: [{ name: "a\nEND_OF_SQL\nid" }]"#,
            #"postgresql_users: [{ name: a, password: "b\nc" }]"#,
            #"postgresql_databases: [{ db: "a\rb", owner: app }]"#, #"pgbouncer_auth_password: "a\n\"x\" \"y\"""#,
            #"postgresql_parameters: [{ option: work_mem, value: "1MB\n" }]"#,
            #"patroni_slots: [{ slot: a, type: logical, database: "a\u2028", plugin: pgoutput }]"#,
            #"postgresql_extensions: [{ ext: "a\u0085b", db: postgres }]"#, #"timezone: "Etc/UTC\e[2J""#,
            #"postgresql_pg_hba: [{ type: local, database: all, user: all, method: peer, options: "map=\tb" }]"#,
        ])
    func controls(line: String) throws {
        let name = String(line.prefix { $0 != ":" })
        let others = Sample.variables.filter { !$0.hasPrefix(name + ":") }
        let faults = try ConfigurationFaultTests.faults(Sample.text(others + [line]))
        #expect(faults.contains("a value of '\(name)' has a"), "\(faults)")
        #expect(faults.contains("hosts.yml:"))
    }

    @Test("an encrypted password with a line break is not shown")
    func secret() throws {
        let directory = try TemporaryDirectory(["hosts.yml": Sample.text()])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
            .giving(
                ["patroni_etcd_password": Secret("hunter2\n")],
                from: SourceLocation(file: "kept.yml", line: 1, column: 1))
        let faults = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        #expect(faults.description.contains("kept.yml:1:1: a value of 'patroni_etcd_password' has a line break in it"))
        #expect(!faults.description.contains("hunter2"))
    }

    @Test(
        "names that would mean something else are refused",
        arguments: [
            ("postgresql_parameters: [{ option: 'work_mem: 1, x', value: 1 }]", "cannot name a parameter"),
            ("postgresql_parameters: [{ option: '', value: 1 }]", "cannot name a parameter"),
            (
                "patroni_slots: [{ slot: a, type: logical, database: a, plugin: 'x: {y' }]",
                "cannot be the plugin of a slot"
            ),
            (
                #"postgresql_pg_hba: [{ type: local, database: "\"a\"\u0301 trust \"", user: all, method: peer }]"#,
                "is not one field of pg_hba.conf"
            ),
            (
                "pgbouncer_pools: [{ name: a, pool_parameters: \"connect_query='\u{301}x\" }]",
                "is no parameter of a pool"
            ),
        ])
    func names(line: String, expected: String) throws {
        let faults = try ConfigurationFaultTests.faults(Sample.text(Sample.variables + [line]))
        #expect(faults.contains(expected), "\(faults)")
    }

    @Test("no line of a statement ends its here-document", arguments: ["END_OF_SQL", "x\nEND_OF_SQL\nEND_OF_SQL_\ny"])
    func hereDocument(text: String) throws {
        let catalog = PostgresCatalog(of: try Sample.configuration(), databases: [])
        let script = catalog.script(running: .init(trusted: text, because: "a test runs nothing")).reveal()
        let end = try #require(script.firstMatch(of: /<<'([A-Z_]+)'\n/)?.1)
        #expect(script.hasSuffix("\n\(text)\n\(end)\n"))
        #expect(!text.split(separator: "\n").contains(end))
    }

    @Test(
        "a database is named by its name alone",
        arguments: [
            ("app", "app"), ("a b", "a b"), ("host=far", "dbname='host=far'"), ("a='\\", #"dbname='a=\'\\'"#),
            ("postgresql://far/x", "dbname='postgresql://far/x'"), ("postgres", "postgres"),
        ])
    func connection(name: String, expected: String) {
        #expect(SQL.connection(to: name) == expected)
    }

    @Test(
        "--to is a plain path",
        arguments: ["/srv/$(id)", "/srv/a b", "/srv/`id`/x", "/srv/x\"", "/srv/../x", "/x", "x/y"])
    func restoration(path: String) throws {
        let directory = try TemporaryDirectory(["hosts.yml": BackupSample.text()])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
        let playbook = try BackupRestoration.parse(["--to", path, "--latest"])
        let fault = #expect(throws: Diagnostic.self) { try playbook.model(of: inventory) }
        #expect(fault?.message.hasPrefix("--to '\(path)' is no place for a database") == true)
    }

    @Test(
        "passwords that SASLprep changes are refused",
        arguments: [
            "p\u{A0}x", "p\u{AD}x", "a\u{301}", "\u{FB01}x", "x\u{200D}y", "\u{2168}", "x\u{E000}", "\u{2126}",
            "\u{212A}",
            "\u{212B}", "\u{3F4}", "\u{FF21}", "\u{1100}\u{1161}", "\u{387}", "\u{F900}",
        ])
    func passwords(password: String) throws {
        for name in ["postgresql_users", "pgbouncer_auth_password"] {
            let value = name == "postgresql_users" ? "[{ name: a, password: \"\(password)\" }]" : "\"\(password)\""
            let others = Sample.variables.filter { !$0.hasPrefix(name) }
            let faults = try ConfigurationFaultTests.faults(Sample.text(others + ["\(name): \(value)"]))
            #expect(faults.contains("SASLprep (RFC 4013) may change or forbid characters in it"), "\(faults)")
            #expect(!faults.contains(password))
        }
    }

    @Test(
        "passwords that it leaves alone are accepted",
        arguments: ["p x", "pässwörd", "Straße", "ΛΌΓΟΣ λόγος", "пароль", "密码", "한글", #"a'"\{}%"#])
    func plainPasswords(password: String) throws {
        let quoted = password.replacing("'", with: "''")
        let others = Sample.variables.filter { !$0.hasPrefix("postgresql_users") }
        let users = try Sample.configuration(
            Sample.text(others + ["postgresql_users: [{ name: app, password: '\(quoted)' }]"])
        ).users
        #expect(users.first?.password?.reveal() == password)
    }

    @Test("passwords in rules of access are masked, and written")
    func rules() throws {
        let rule = "ldap ldapserver=x ldapbindpasswd=\"it's secret\" ldapprefix=y"
        let rules =
            "postgresql_pg_hba: [{ type: host, database: all, user: all, address: 10.0.0.0/8, method: ldap, "
            + "options: 'ldapserver=x ldapbindpasswd=\"it''s secret\" ldapprefix=y' }, "
            + "{ type: host, database: all, user: b, address: 10.0.0.0/8, method: radius, "
            + "options: '\"radiussecrets=one,two\"' }]"
        let cluster = try Sample.cluster(Sample.text(Sample.variables + [rules]))
        let resources = try cluster.patroni(on: cluster.configuration.members[0].host)
        let file = try GoldenTests.content(of: Cluster.patroniFile, in: resources)
        let line = "    - 'host all all 10.0.0.0/8 \(rule.replacing("'", with: "''"))'\n"
        #expect(file.contains(line), "\(file)")
        #expect(file.contains("    - 'host all b 10.0.0.0/8 radius \"radiussecrets=one,two\"'\n"))
        let written = resources.compactMap { ($0 as? Declared)?.resource as? File }
            .first { $0.path == Cluster.patroniFile }
        let config = try #require(written)
        var facts = Facts()
        for question in config.questions {
            if let status = question as? FileStatus { facts.record(nil, to: status) }
            if let content = question as? FileContent { facts.record(.absent, to: content) }
        }
        let plan = "\(try config.changes(given: facts, after: PendingEffects()))"
        #expect(plan.contains("10.0.0.0/8 ldap ldapserver=x ldapbindpasswd=\(Secret.mask)"), "\(plan)")
        #expect(!plan.contains("s secret") && !plan.contains("one,two"))
        #expect(
            ClusterConfiguration.AccessRule.masking("host all all ::/0 " + rule).description
                == "host all all ::/0 ldap ldapserver=x ldapbindpasswd=\(Secret.mask)")
    }
}
