import Engine
import Inventory
import Testing

@testable import PostgresCluster

@Suite("Configuration files of the backups")
struct BackupGoldenTests {
    static let templates = ["pgbackrest.conf", "pgbackrest.ssh.conf", "pgbackrest.sh"]

    private struct Row: Sendable {
        var golden: String
        var path: String
        var host: String
        var variables: [String] = []
        var hasHost = true
    }

    private static let rows: [Row] = [
        Row(
            golden: "pgbackrest.conf", path: "/etc/pgbackrest.conf", host: "bk",
            variables: ["pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: pass }] }"]),
        Row(
            golden: "pgbackrest.member.conf", path: "/etc/pgbackrest.conf", host: "pg2",
            variables: [
                "pgbackrest_repo_user: keeper",
                "pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: pass }] }",
            ]),
        Row(
            golden: "pgbackrest.s3.conf", path: "/etc/pgbackrest.conf", host: "pg2", variables: BackupSample.s3,
            hasHost: false),
        Row(
            golden: "pgbackrest.ssh.conf", path: "/etc/ssh/ssh_config.d/drover-pgbackrest.conf", host: "bk",
            variables: ["pgbackrest_repo_user: keeper"]),
        Row(golden: "pgbackrest.sh", path: BackupScript.path, host: "bk"),
        Row(
            golden: "pgbackrest.member.sh", path: BackupScript.path, host: "pg2", variables: BackupSample.s3,
            hasHost: false),
    ]

    private func resources(on name: String, of text: String) throws -> [any Resource] {
        let cluster = try Sample.cluster(text)
        let host = try #require(cluster.configuration.hosts.first { $0.name == name })
        return try cluster.pgbackrest(on: host) + cluster.backupTimers(on: host) + cluster.patroni(on: host)
    }

    @Test("are as the golden files say", arguments: rows.indices)
    func golden(index: Int) throws {
        let row = Self.rows[index]
        let resources = try resources(on: row.host, of: BackupSample.text(row.variables, hasHost: row.hasHost))
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(row.golden)")
        let written = try GoldenTests.content(of: row.path, in: resources)
        #expect(UnifiedDiff(from: expected, to: written).text == [])
        #expect(written == expected)
    }

    @Test("no secret is seen in a plan")
    func secrets() throws {
        let resources = try resources(on: "pg2", of: BackupSample.text(BackupSample.s3, hasHost: false))
        let file = try #require(resources.first { $0.name == "file /etc/pgbackrest.conf" })
        var facts = Facts()
        for question in file.questions { facts.recordAbsence(of: question) }
        let change = try #require(try file.changes(given: facts, after: PendingEffects()).first)
        let shown = "\(change.diff?.text ?? []) \(change.script)"
        for secret in ["access-key", "secret-key", "a pass phrase"] { #expect(!shown.contains(secret)) }
        #expect(shown.contains("+repo1-s3-bucket=backups"))
        #expect(shown.contains(" postgres:postgres 0640 "))
    }

    @Test("Patroni archives, restores segments, and makes replicas from backups")
    func patroni() throws {
        let resources = try resources(on: "pg2", of: BackupSample.text())
        let written = try GoldenTests.content(of: "/etc/patroni/config.yml", in: resources)
        for expected in [
            "    archive_mode: 'on'\n", "    archive_command: 'pgbackrest --stanza=demo archive-push \"%p\"'\n",
            "    archive_timeout: '1800s'\n", "  create_replica_methods:\n    - pgbackrest\n    - basebackup\n",
            "    command: '/usr/bin/pgbackrest --stanza=demo --delta --type=standby restore'\n",
            "  recovery_conf:\n    restore_command: '/usr/bin/pgbackrest --stanza=demo archive-get %f \"%p\"'\n",
        ] {
            #expect(written.contains(expected), "\(written)")
        }
    }

    @Test("what the inventory says of archiving and replicas stands")
    func given() throws {
        let text = BackupSample.text([
            "postgresql_parameters: [{ option: archive_timeout, value: 60 }]",
            "patroni_create_replica_methods: [basebackup]",
        ])
        let written = try GoldenTests.content(of: "/etc/patroni/config.yml", in: resources(on: "pg2", of: text))
        #expect(written.contains("    archive_timeout: '60'\n"))
        #expect(!written.contains("1800s"))
        #expect(written.contains("  create_replica_methods:\n    - basebackup\n"))
    }

    @Test("the names of resources are unique on a host", arguments: ["pg1", "bk"])
    func names(host: String) throws {
        let names = try resources(on: host, of: BackupSample.text()).map(\.name)
        #expect(Set(names).count == names.count)
    }
}
