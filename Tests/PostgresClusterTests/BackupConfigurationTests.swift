import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Configuration of backups")
struct BackupConfigurationTests {
    private func backups(_ text: String) throws -> ClusterConfiguration.Backups {
        try #require(try Sample.configuration(text).backups)
    }

    @Test("there are none unless they are wanted")
    func none() throws {
        let configuration = try Sample.configuration()
        #expect(configuration.backups == nil)
        #expect(configuration.backupHosts.isEmpty)
        #expect(configuration.patroni.replicaMethods == [.basebackup])
    }

    @Test("customary values for what is not said")
    func defaults() throws {
        let configuration = try Sample.configuration(BackupSample.text())
        let backups = try #require(configuration.backups)
        #expect(backups.stanza == "demo")
        #expect(backups.host?.address == "10.0.0.9")
        #expect(backups.user == "postgres")
        #expect(backups.storage == .posix)
        #expect(backups.path == "/var/lib/pgbackrest")
        #expect(backups.schedule == BackupSchedule())
        #expect(configuration.backupHosts.map(\.name) == ["pg1", "pg2", "pg3", "bk"])
        #expect(configuration.hosts.map(\.name) == ["pg1", "pg2", "pg3", "bk"])
        #expect(configuration.patroni.replicaMethods == [.pgbackrest, .basebackup])
    }

    @Test("an option takes the place of the customary one, and a stanza's that of the global one")
    func options() throws {
        let options = try backups(
            BackupSample.text([
                "pgbackrest_conf:", "  global: [{ option: process-max, value: 4 }, { option: repo1-bundle, value: n }]",
                "  stanza: [{ option: process-max, value: 8 }]",
            ])
        ).options.map { "\($0.name)=\($0.value)" }
        #expect(
            options == [
                "repo1-path=/var/lib/pgbackrest", "repo1-retention-full=2", "repo1-bundle=n", "compress-type=zst",
                "process-max=8", "start-fast=y", "stop-auto=y",
            ])
    }

    @Test("a schedule")
    func schedule() throws {
        let schedule = try backups(
            BackupSample.text(["pgbackrest_schedule: { full: 'Sat *-*-* 03:00', incr: none }"])
        ).schedule
        #expect(schedule.full == "Sat *-*-* 03:00")
        #expect(schedule.differential == "Mon..Sat *-*-* 01:00")
        #expect(schedule.incremental == nil)
    }

    @Test("jobs of cron become timers, unless there is a schedule")
    func cronJobs() throws {
        let jobs = [
            "pgbackrest_cron_jobs:",
            "  - { name: a, file: /etc/cron.d/a, user: postgres, minute: '00', hour: '3', day: '*', month: '*', weekday: '0', "
                + "job: \"if [ $(psql -tAXc 'x') = 'f' ]; then pgbackrest --stanza=s --type=full backup; fi\" }",
            "  - { name: b, minute: '30', hour: '*/6', weekday: '1-6', job: pgbackrest --type=diff backup }",
            "  - { name: c, disabled: true, job: pgbackrest --type=incr backup }",
        ]
        #expect(
            try backups(BackupSample.text(jobs)).schedule
                == BackupSchedule(full: "Sun *-*-* 03:00", differential: "Mon..Sat *-*-* 00/6:30", incremental: nil))
        let schedule = ["pgbackrest_schedule: { full: 'Sat *-*-* 03:00' }"]
        #expect(try backups(BackupSample.text(schedule + jobs)).schedule.full == "Sat *-*-* 03:00")
        let directory = try TemporaryDirectory(["hosts.yml": BackupSample.text(jobs)])
        var variables = Variables(of: try Inventory.load(file: directory.path + "/hosts.yml"))
        #expect(variables.backupSchedule().full == "Sun *-*-* 03:00")
        #expect(
            variables.notes.map(\.message) == [
                "timers take the place of the jobs of cron: pgbackrest_schedule: "
                    + "{ full: 'Sun *-*-* 03:00', diff: 'Mon..Sat *-*-* 00/6:30' }"
            ])
    }

    @Test(
        "other stores",
        arguments: [
            ("gcs", ["repo1-gcs-bucket", "repo1-gcs-key"], "the bucket 'x' of Google Cloud Storage"),
            ("azure", ["repo1-azure-account", "repo1-azure-container", "repo1-azure-key"], "the container 'x' of x"),
        ])
    func stores(kind: String, options: [String], place: String) throws {
        func text(_ options: [String]) -> String {
            let items = options.map { "{ option: \($0), value: \($0.hasSuffix("gcs-key") ? "/etc/key.json" : "x") }" }
            return BackupSample.text(
                [
                    "pgbackrest_repo_type: \(kind)", "pgbackrest_conf: { global: [\(items.joined(separator: ", "))] }",
                ], hasHost: false)
        }
        #expect(try backups(text(options)).place == place)
        #expect {
            try backups(text(options.dropLast()))
        } throws: { "\($0)".contains("the option '\(options[options.count - 1])' of pgBackRest is missing") }
    }

    @Test("an option that may be there several times")
    func lists() throws {
        let values = ["primary_conninfo=host=a", "recovery_min_apply_delay=5min"]
        let options = try backups(
            BackupSample.text([
                "pgbackrest_conf: { global: [\(values.map { "{ option: recovery-option, value: '\($0)' }" }.joined(separator: ", "))] }"
            ])
        ).options
        #expect(options.filter { $0.name == "recovery-option" }.map { "\($0.value)" } == values)
    }

    @Test("the members themselves keep a repository that is shared, or a store")
    func withoutHost() throws {
        let shared = try backups(BackupSample.text(["pgbackrest_repo_shared: true"], hasHost: false))
        #expect(shared.host == nil)
        #expect(shared.user == "postgres")
        #expect(try backups(BackupSample.text(BackupSample.s3, hasHost: false)).path == "/pgbackrest")
    }

    private static let faults: [(variable: String, expected: String)] = [
        ("pgbackrest_instal: true", "8:5: unknown variable 'pgbackrest_instal'; did you mean 'pgbackrest_install'?"),
        ("pgbackrest_repo_type: ftp", "8:27: unknown value 'ftp'; write one of posix, s3, gcs, azure"),
        (
            "pgbackrest_repo_type: sftp",
            "8:27: pgBackRest 2.45 of Debian 12 has no SFTP; write one of posix, s3, gcs, azure"
        ),
        (
            "pgbackrest_conf: { global: [{ option: repo2-path, value: /b }] }",
            "8:33: 'repo2-path': a second repository is not supported; "
                + "write the options of one, repo1-…, and copy it elsewhere with other means"
        ),
        (
            "pgbackrest_conf: { global: [{ option: recovery-option, value: restore_command=x }] }",
            "8:67: 'restore_command=x' cannot be 'recovery-option'; "
                + "write NAME=VALUE; restore_command and recovery_target… follow from the recovery"
        ),
        (
            "pgbackrest_cron_jobs: [{ name: x, hour: '3', job: pgbackrest expire }]",
            "8:28: 'pgbackrest expire' makes no backup; "
                + "write 'pgbackrest --type=full backup', and anything else into a playbook of your own"
        ),
        (
            "pgbackrest_cron_jobs: [{ name: x, hour: '25', job: pgbackrest backup }]",
            "8:28: pgbackrest_cron_jobs: '25' is no hour in the schedule '* 25 * * *'"
        ),
        (
            "pgbackrest_cron_jobs: [{ name: x, minute: 0, hour: 1, day: 1, weekday: 1, job: pgbackrest --type=full backup }]",
            "8:28: the times '0 1 1 * 1' cannot be translated for systemd; "
                + "write pgbackrest_schedule: { full: 'Sun *-*-* 01:00' }"
        ),
        (
            "pgbackrest_stanza: a b",
            "8:24: 'a b' cannot be pgbackrest_stanza; use letters, digits, '_', '.', '@' and '-'"
        ),
        (
            "pgbackrest_repo_host: 10.0.0.8",
            "8:27: '10.0.0.8' is not in the group 'pgbackrest'; "
                + "put the host of the repository there; pgbackrest_repo_host is not needed then"
        ),
        (
            "pgbackrest_conf: { global: [{ option: repo1-retention-ful, value: 2 }] }",
            "8:33: unknown option 'repo1-retention-ful' of pgBackRest; did you mean 'repo1-retention-full'?"
        ),
        (
            "pgbackrest_conf: { global: [{ option: repo1-retention-full, value: 0 }] }",
            "8:72: '0' cannot be 'repo1-retention-full'; write 1 to 9999999"
        ),
        (
            "pgbackrest_conf: { stanza: [{ option: start-fast, value: true }] }",
            "8:62: 'true' cannot be 'start-fast'; write y or n"
        ),
        (
            "pgbackrest_conf: { global: [{ option: repo1-cipher-pass, value: ' x' }] }",
            "8:69: '‹secret›' cannot be 'repo1-cipher-pass'; write one line of ASCII without blanks at its ends"
        ),
        (
            "pgbackrest_conf: { global: [{ option: compress-type, value: zip }] }",
            "8:65: 'zip' cannot be 'compress-type'; write one of none, gz, lz4, zst, bz2"
        ),
        (
            "pgbackrest_conf: { global: [{ option: repo1-s3-bucket, value: b }] }",
            "8:22: 'repo1-s3-bucket' is for another store than this one; "
                + "write pgbackrest_repo_type: s3, or take it out"
        ),
        (
            "pgbackrest_conf: { globals: [] }",
            "8:24: unknown key 'globals' in the configuration of pgBackRest; did you mean 'global'?"
        ),
        (
            "pgbackrest_schedule: { full: $x }",
            "8:26: '$x' is no time for backups; write it as systemd does, such as 'Sun *-*-* 01:00', or none"
        ),
        (
            "postgresql_parameters: [{ option: archive_mode, value: off }]",
            "8:28: 'archive_mode' is set by the backups; take it out, or set pgbackrest_install to false"
        ),
        (
            "patroni_create_replica_methods: []",
            "8:37: there is no way to make a replica; name pgbackrest, wal_g or basebackup, or several"
        ),
    ]

    @Test("one variable", arguments: faults)
    func fault(line: String, expected: String) throws {
        #expect(try Self.complaints(BackupSample.text([line])) == "hosts.yml:\(expected)")
    }

    private static func complaints(_ text: String) throws -> String {
        let directory = try TemporaryDirectory(["hosts.yml": text])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        return directory.shortened(diagnostics.description)
    }

    private static let places: [(text: String, expected: String)] = [
        (
            BackupSample.text(hasHost: false),
            "hosts.yml:7:25: the members would each have a repository of their own; put a host into the group "
                + "'pgbackrest', write pgbackrest_repo_type: s3, or say pgbackrest_repo_shared: true when repo1-path is "
                + "on a file system that all of them have mounted"
        ),
        (
            Sample.text(groups: Sample.groups + "\n" + BackupSample.host),
            "hosts.yml:20:16: 'bk' is in the group 'pgbackrest', but pgbackrest_install is not true; "
                + "set pgbackrest_install to true, or take the host out"
        ),
        (
            BackupSample.text().replacing("bk: { ansible_host: 10.0.0.9 }", with: "pg2: "),
            "hosts.yml:12:9: 'pg2' is in 'pgbackrest' and has a database too; take it out of 'pgbackrest', so that the "
                + "members keep the repository themselves, or name a host without a database"
        ),
        (
            BackupSample.text().replacing("10.0.0.9 }", with: "10.0.0.9 }, c: { ansible_host: 10.0.0.8 }"),
            "hosts.yml:21:48: the group 'pgbackrest' has 2 hosts; leave one in it: there is one repository"
        ),
        (
            BackupSample.text(["pgbackrest_repo_type: s3"]),
            ["repo1-s3-bucket", "repo1-s3-endpoint", "repo1-s3-region", "repo1-s3-key", "repo1-s3-key-secret"].map {
                "hosts.yml:8:27: the option '\($0)' of pgBackRest is missing; set it in pgbackrest_conf, under global"
            }.joined(separator: "\n")
        ),
        (
            Sample.text(Sample.variables + ["patroni_create_replica_methods: [pgbackrest]"]),
            "hosts.yml:7:37: replicas cannot be made from backups that are not made; "
                + "set pgbackrest_install to true, or take 'pgbackrest' out"
        ),
    ]

    @Test("where the repository is", arguments: places)
    func place(text: String, expected: String) throws {
        #expect(try Self.complaints(text) == expected)
    }
}
