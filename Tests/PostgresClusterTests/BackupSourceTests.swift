import Diagnostics
import Engine
import Inventory
import Secrets
import Testing

@testable import PostgresCluster

@Suite("A cluster that begins with the backup of another one")
struct BackupSourceTests {
    private static let method = "patroni_cluster_bootstrap_method: pgbackrest"

    private static func text(_ command: String, _ variables: [String] = [], hasHost: Bool = true) -> String {
        BackupSample.text(
            [method, "pgbackrest_patroni_cluster_restore_command: '\(command)'"] + variables, hasHost: hasHost)
    }

    @Test(
        "the command is understood",
        arguments: [
            ("/usr/bin/pgbackrest --stanza=other --delta restore", [], true),
            (
                "pgbackrest --stanza=other --type=time \"--target=2026-11-22 15:04:05+01:00\" --delta restore",
                ["--target=2026-11-22 15:04:05+01:00", "--target-action=promote", "--type=time"], false
            ),
            (
                "pgbackrest --stanza=other --set=20261122-132203F --type=immediate --target-timeline=2 restore",
                ["--set=20261122-132203F", "--target-action=promote", "--target-timeline=2", "--type=immediate"], false
            ),
            ("pgbackrest --type=default --stanza=other restore", [], true),
        ] as [(String, [String], Bool)])
    func command(command: String, options: [String], isWhole: Bool) throws {
        let source = try #require(try Sample.configuration(Self.text(command)).source)
        #expect(source.stanza == "other")
        #expect(source.options == options)
        #expect(source.isWhole == isWhole)
    }

    @Test("initdb makes the database unless something else is said, whatever the command is")
    func none() throws {
        #expect(try Sample.configuration().source == nil)
        let text = BackupSample.text(["pgbackrest_patroni_cluster_restore_command: 'anything --goes'"])
        #expect(try Sample.configuration(text).source == nil)
    }

    private static let faults: [(text: String, expected: String)] = [
        (text("pgbackrest restore"), "nothing says whose backup it is; write --stanza=NAME of the other cluster"),
        (text("pgbackrest --stanza=demo restore"), "the cluster would write its own backups into the stanza 'demo'"),
        (text("pgbackrest --stanza=a --stanza=b restore"), "'--stanza' is there twice"),
        (
            text("pgbackrest --stanza=a --typ=time restore"),
            "'--typ=time' is no option with which a cluster begins; did you mean '--type'?"
        ),
        (text("pgbackrest --stanza=a --type=time restore"), "--type=time wants a target"),
        (text("pgbackrest --stanza=a --target=0/1 restore"), "--target means nothing without its type"),
        (
            text("pgbackrest --stanza=a --type=time \"--target=2026-11-22 15:04:05\" restore"),
            "'2026-11-22 15:04:05' is no moment with a zone"
        ),
        (
            text("pgbackrest --stanza=a --type=name --target=x --target-action=pause restore"),
            "'--target-action=pause' cannot be '--target-action'; write promote: nobody is there to end a pause"
        ),
        (
            Sample.text(Sample.variables + [method]),
            "a cluster cannot begin with a backup of pgBackRest without pgBackRest"
        ),
        (BackupSample.text([method]), "nothing says with whose backup the cluster begins"),
        (
            text("pgbackrest --stanza=a restore").replacing(
                "hosts: { pg1: }", with: "hosts: { pg1: { postgresql_exists: true } }"),
            "a cluster begins with a backup, or with 'postgresql_exists', and not with both"
        ),
    ]

    @Test("what is wrong is told before any host is contacted", arguments: faults.indices)
    func fault(index: Int) throws {
        let (text, expected) = Self.faults[index]
        let faults = try #require(throws: Diagnostics.self) { try Sample.configuration(text) }
        #expect(faults.description.contains(expected), "\(faults)")
    }

    @Test("Patroni begins with what pgBackRest restores, and nothing of the other cluster's archive is left")
    func patroni() throws {
        let cluster = try Sample.cluster(Self.text("pgbackrest --stanza=other --type=name --target=x restore"))
        let resources = try cluster.patroni(on: cluster.configuration.members[1].host)
        let text = try GoldenTests.content(of: "/etc/patroni/config.yml", in: resources)
        let lines = text.split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "  method: pgbackrest"))
        #expect(lines[start + 1] == "  pgbackrest:")
        #expect(
            lines[start + 2].hasPrefix(
                "    command: '/bin/sh -c ''/usr/bin/pgbackrest --stanza=other --pg1-path=/var/lib/postgresql/15/main "
                    + "--target=x --target-action=promote --type=name --delta restore && sed -i "))
        #expect(lines[start + 2].hasSuffix("&& rm -f /var/lib/postgresql/15/main/patroni.dynamic.json'''"))
        #expect(
            lines[(start + 3)...(start + 5)].elementsEqual([
                "    no_params: true", "    keep_existing_recovery_conf: true", "  initdb:",
            ]))
    }

    private static let rows: [(command: String, json: String, version: Int, expected: [String])] = [
        ("--stanza=demo", BackupSample.info, 15, []),
        ("--stanza=demo", BackupSample.noStanza, 15, ["the repository has no stanza 'demo'"]),
        ("--stanza=demo", BackupSample.noBackups, 15, ["the stanza 'demo' has no backup"]),
        ("--stanza=demo", BackupSample.info, 16, ["its database is of PostgreSQL 15, and this cluster of 16"]),
        ("--stanza=demo --set=20261122-132203F", BackupSample.info, 15, []),
        ("--stanza=demo --set=20200101-000000F", BackupSample.info, 15, ["there is no backup 20200101-000000F"]),
        ("--stanza=demo --type=time --target=2026-11-22T13:22:07Z", BackupSample.info, 15, []),
        (
            "--stanza=demo --type=time --target=2026-11-22T13:22:05Z", BackupSample.info, 15,
            ["no backup ends before the target: the oldest, 20261122-132203F, is later"]
        ),
        (
            "--stanza=demo --type=time --target=2030-01-01T00:00:00Z", BackupSample.info, 15,
            ["the target lies in the future"]
        ),
    ]

    @Test("the backup must be there, of the same version, and lead to the target", arguments: rows.indices)
    func obstacles(index: Int) throws {
        let row = Self.rows[index]
        let found = try BackupSource(command: row.command).obstacles(
            given: BackupSample.answer(row.json), version: row.version)
        #expect(found.count == row.expected.count, "\(found)")
        for (text, beginning) in zip(found, row.expected) { #expect(text.hasPrefix(beginning)) }
    }

    @Test("the repository is asked by the configuration that its host is to have, while there is no cluster")
    func question() throws {
        let cluster = try Sample.cluster(
            Self.text(
                "pgbackrest --stanza=other restore",
                ["pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: hidden }] }"]))
        let play = cluster.sourceExamination()
        #expect(play.hosts.map(\.name) == ["bk"])
        let info = try #require(try play.resources(on: play.hosts[0]).first?.questions.first as? PgBackRestInfo)
        #expect(info.stanza == "other")
        #expect(info.configuration?.reveal().contains("repo1-cipher-pass=hidden") == true)
        #expect(!"\(info)".contains("hidden"))
        let running = try Sample.cluster(
            Self.text("pgbackrest --stanza=other restore"), state: .running(leader: "pg1", withDatabase: ["pg1"]))
        #expect(running.sourceExamination().hosts.isEmpty)
    }
}
