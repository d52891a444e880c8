import Engine
import Inventory
import Secrets
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("What is written for WAL-G")
struct WALGGoldenTests {
    static let templates = ["wal-g.sh"]

    private static let rows = [
        (golden: "wal-g.json", path: ClusterConfiguration.WALG.path), (golden: "wal-g.sh", path: WALGScript.path),
    ]

    private func resources(_ text: String = WALGSample.text()) throws -> [any Resource] {
        let cluster = try Sample.cluster(text)
        let host = cluster.configuration.members[1].host
        return try cluster.backupTool(on: host) + cluster.backupTimers(on: host) + cluster.patroni(on: host)
    }

    @Test("is as the golden files say", arguments: rows.indices)
    func golden(index: Int) throws {
        let row = Self.rows[index]
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(row.golden)")
        let written = try GoldenTests.content(of: row.path, in: resources())
        #expect(UnifiedDiff(from: expected, to: written).text == [])
        #expect(written == expected)
    }

    @Test("no secret is seen in a plan, and nobody else reads the file")
    func secrets() throws {
        let file = try #require(try resources().first { $0.name == "file /var/lib/postgresql/.walg.json" })
        var facts = Facts()
        for question in file.questions { facts.recordAbsence(of: question) }
        let change = try #require(try file.changes(given: facts, after: PendingEffects()).first)
        let shown = "\(change.diff?.text ?? []) \(change.script)"
        for secret in ["access-key", "secret\\", "secret\""] { #expect(!shown.contains(secret)) }
        #expect(change.script.reveal().contains(" postgres:postgres 0600 "))
    }

    @Test("Patroni archives, restores segments, and makes replicas from backups")
    func patroni() throws {
        let written = try GoldenTests.content(of: "/etc/patroni/config.yml", in: resources())
        let walg = "/usr/local/bin/wal-g --config /var/lib/postgresql/.walg.json"
        for expected in [
            "    archive_mode: 'on'\n", "    archive_command: '\(walg) wal-push \"%p\"'\n",
            "  create_replica_methods:\n    - wal_g\n    - basebackup\n",
            """
              wal_g:
                command: '/bin/sh -c ''install -d -m 0700 /var/lib/postgresql/15/main && \(walg) backup-fetch \
            /var/lib/postgresql/15/main LATEST'''
                no_params: true
              basebackup:

            """, "  recovery_conf:\n    restore_command: '\(walg) wal-fetch \"%f\" \"%p\"'\n",
        ] {
            #expect(written.contains(expected), "\(written)")
        }
    }

    @Test("Patroni begins with a backup of another cluster, and recovers from its archive alone")
    func beginning() throws {
        let variables =
            WALGSample.source + [
                "wal_g_restore_backup_name: base_000000010000000000000004",
                "wal_g_restore_target_time: 2026-11-22 15:04:05+01:00", "wal_g_restore_target_timeline: 2",
            ]
        let resources = try resources(WALGSample.text(variables))
        let written = try GoldenTests.content(of: "/etc/patroni/config.yml", in: resources)
        let walg = "/usr/local/bin/wal-g --config /var/lib/postgresql/.walg.source.json"
        let lines = written.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "  method: wal-g"))
        #expect(lines[start + 1] == "  wal-g:")
        #expect(
            lines[start + 2].hasPrefix(
                "    command: '/bin/sh -c ''install -d -m 0700 /var/lib/postgresql/15/main && \(walg) backup-fetch "
                    + "/var/lib/postgresql/15/main base_000000010000000000000004 && "), "\(lines[start + 2])")
        #expect(
            lines[(start + 3)...(start + 9)].elementsEqual([
                "    no_params: true", "    recovery_conf:",
                "      restore_command: '\(walg) wal-fetch \"%f\" \"%p\" || { [ $? = 74 ] && exit 1 || exit 255; }'",
                "      recovery_target_action: 'promote'", "      recovery_target_timeline: '2'",
                "      recovery_target_time: '2026-11-22 15:04:05+01:00'", "  initdb:",
            ]), "\(lines[start...(start + 9)])")
        let settings = try GoldenTests.content(of: ClusterConfiguration.WALG.sourcePath, in: resources)
        #expect(settings.contains("\"WALG_S3_PREFIX\": \"s3://backups/shop\",\n"))
        #expect(settings.contains("\"AWS_SECRET_ACCESS_KEY\": \"secret\\\"key\",\n"))
        #expect(!settings.contains("s3://backups/demo"))
    }

    @Test("a folder and the program come first; all members have the timers, and who leads makes the backup")
    func names() throws {
        let text = WALGSample.text([
            "wal_g_json: { WALG_FILE_PREFIX: /srv/walg }", "wal_g_repo_shared: true",
            "wal_g_schedule: { diff: none }",
        ])
        let state = ClusterState.running(leader: "pg2", withDatabase: ["pg1", "pg2", "pg3"])
        let cluster = try Sample.cluster(text, state: state)
        let host = cluster.configuration.members[1].host
        #expect(
            try cluster.backupTool(on: host).map(\.name) == [
                "file /usr/local/bin/wal-g", "directory /srv/walg", "directory /var/lib/postgresql/wal-g-prefetch",
                "file /var/lib/postgresql/.walg.json", "absent /var/lib/postgresql/.walg.source.json",
            ])
        #expect(
            try cluster.backupTimers(on: host).map(\.name) == [
                "file /usr/local/sbin/wal-g-backup", "timer wal-g-full", "stopped wal-g-diff.timer",
                "timer wal-g-incr",
            ])
        #expect(cluster.backupKeepers.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(cluster.backupMakers.map(\.name) == ["pg2"])
        #expect(cluster.firstBackup(on: host).map(\.name) == ["first backup of demo"])
        let order = cluster.backupOrder(.full)
        #expect(order.reveal().hasPrefix("cd /\nrunuser -u postgres -- /usr/local/sbin/wal-g-backup full\n"))
        #expect(order.reveal().contains("does not get into the archive"))
        #expect(
            cluster.withoutBackups(on: host).map(\.name) == [
                "stopped wal-g-full.timer", "stopped wal-g-diff.timer", "stopped wal-g-incr.timer",
            ])
    }

    @Test("a member that goes keeps nothing of it; of a cluster that goes, where the backups are is kept")
    func removal() throws {
        let cluster = try Sample.cluster(WALGSample.text(WALGSample.source))
        let host = cluster.configuration.members[1].host
        let written = (try cluster.backupTool(on: host) + cluster.backupTimers(on: host))
            .compactMap { (($0 as? Declared)?.resource as? File)?.path }
        #expect(written.count == 3)
        #expect(Set(cluster.files(of: host)).isSuperset(of: written))
        let taken = try cluster.withoutFiles(on: host, withBackups: false).map(\.name)
        #expect(!taken.contains("absent /var/lib/postgresql/.walg.json"), "\(taken)")
        #expect(taken.contains("absent /var/lib/postgresql/.walg.source.json"), "\(taken)")
    }
}
