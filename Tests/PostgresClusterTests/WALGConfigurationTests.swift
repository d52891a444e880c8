import Diagnostics
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Configuration of WAL-G")
struct WALGConfigurationTests {
    private func walg(_ text: String) throws -> ClusterConfiguration.WALG {
        try #require(try Sample.configuration(text).walg)
    }

    @Test("there is none unless it is wanted")
    func none() throws {
        let configuration = try Sample.configuration()
        #expect(configuration.walg == nil)
        #expect(!configuration.hasBackups)
        #expect(try Sample.configuration(Sample.text(Sample.variables + [WALGSample.settings])).walg == nil)
    }

    @Test("customary values for what is not said")
    func defaults() throws {
        let configuration = try Sample.configuration(WALGSample.text())
        let walg = try #require(configuration.walg)
        #expect(walg.program == "/usr/local/bin/wal-g")
        #expect(walg.origin == .file(try LocalFile(WALGSample.program)))
        #expect(walg.schedule == BackupSchedule())
        #expect(walg.retention == 4)
        #expect(walg.source == nil)
        #expect(walg.place == "s3://backups/demo")
        #expect(walg.folder == nil)
        #expect(
            walg.options.map { "\($0.name)=\($0.value)" } == [
                "AWS_ACCESS_KEY_ID=‹secret›", "AWS_REGION=eu-1", "AWS_SECRET_ACCESS_KEY=‹secret›",
                "WALG_COMPRESSION_METHOD=lz4", "WALG_DELTA_MAX_STEPS=6",
                "WALG_PREFETCH_DIR=/var/lib/postgresql/wal-g-prefetch", "WALG_PREVENT_WAL_OVERWRITE=true",
                "WALG_S3_PREFIX=s3://backups/demo",
            ])
        #expect(configuration.backupHosts.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(configuration.patroni.replicaMethods == [.walG, .basebackup])
    }

    @Test("a package has its program elsewhere; the list of postgresql_cluster is understood, and so is its path")
    func package() throws {
        let text = WALGSample.text(
            [
                "wal_g_json: [{ option: WALG_SSH_PREFIX, value: ssh://h/b }, { option: WALG_DELTA_MAX_STEPS, value: 2 }]",
                "wal_g_path: /opt/wal-g --config /var/lib/postgresql/.walg.json",
                "wal_g_retention_full: 2", "wal_g_schedule: { full: '*-*-* 03:00', diff: none, incr: none }",
                "patroni_create_replica_methods: [basebackup]",
            ], from: "wal_g_package: wal-g")
        let walg = try walg(text)
        #expect(walg.origin == .package("wal-g"))
        #expect(walg.program == "/opt/wal-g")
        #expect(walg.retention == 2)
        #expect(walg.schedule.full == "*-*-* 03:00")
        #expect(walg.schedule.incremental == nil)
        #expect(walg.options.map { "\($0.name)=\($0.value)" }.contains("WALG_DELTA_MAX_STEPS=2"))
        #expect(
            try self.walg(WALGSample.text(from: "wal_g_package: wal-g")).program == "/usr/bin/wal-g")
        let cluster = try Sample.cluster(text)
        #expect(cluster.packages(of: cluster.configuration.members[0].host).contains("wal-g"))
        #expect(!cluster.packages(of: cluster.configuration.members[0].host).contains("pgbackrest"))
    }

    private static let folder = "wal_g_json: { WALG_FILE_PREFIX: /srv/walg }"

    private static let faults: [(text: String, expected: String)] = [
        (
            Sample.text(Sample.variables + ["wal_g_install: true", WALGSample.settings]),
            "7:20: nothing says where WAL-G comes from, which Debian does not have; write wal_g_file: the program on "
                + "this machine, or wal_g_package"
        ),
        (
            WALGSample.text([WALGSample.settings, "wal_g_package: x1"]),
            "WAL-G comes from a package or from a file, and not from both; take one of them out"
        ),
        (
            WALGSample.text(from: "wal_g_file: no/such"), "/no/such' cannot be read; name the program on this machine"
        ),
        (WALGSample.text(from: "wal_g_package: 'a b'"), "'a b' cannot name a package"),
        (WALGSample.text([]), "nothing says where WAL-G keeps the backups; write one of WALG_S3_PREFIX, "),
        (
            WALGSample.text(["wal_g_json: { WALG_S3_PREFIX: a, WALG_SSH_PREFIX: b }"]),
            "the backups would be at several places: WALG_S3_PREFIX, WALG_SSH_PREFIX"
        ),
        (
            WALGSample.text([folder]),
            "the members would each have an archive of their own; write another prefix, or say wal_g_repo_shared: true"
        ),
        (
            WALGSample.text(["wal_g_json: { WALG_FILE_PREFIX: srv }"]),
            "'srv' cannot be 'WALG_FILE_PREFIX'; write an absolute path"
        ),
        (
            WALGSample.text(["wal_g_json: { PGHOST: h }"]),
            "'PGHOST' follows from the rest of the inventory; take it out"
        ),
        (WALGSample.text(["wal_g_json: { walg_s3_prefix: h }"]), "'walg_s3_prefix' is no setting of WAL-G"),
        (WALGSample.text(["wal_g_json: all"]), "expected a mapping for the settings of WAL-G"),
        (
            WALGSample.text([
                "wal_g_json: [{ option: WALG_S3_PREFIX, value: a }, { option: WALG_S3_PREFIX, value: b }]"
            ]), "'WALG_S3_PREFIX' is there twice; set it once"
        ),
        (
            WALGSample.text([WALGSample.settings, "wal_g_path: wal-g"]),
            "'wal-g' cannot be wal_g_path; write the absolute path of the program; its settings are in "
                + "/var/lib/postgresql/.walg.json"
        ),
        (
            WALGSample.text([WALGSample.settings, "wal_g_path: /bin/wal-g --config /etc/other"]),
            "'/bin/wal-g --config /etc/other' cannot be wal_g_path"
        ),
        (
            WALGSample.text([WALGSample.settings, "wal_g_retention_full: 0"]), "0 full backups cannot stay"
        ),
        (
            WALGSample.text([WALGSample.settings, "pgbackrest_install: true", "pgbackrest_repo_shared: true"]),
            "the log is archived by WAL-G or by pgBackRest, and not by both"
        ),
        (
            WALGSample.text([WALGSample.settings, "postgresql_parameters: [{ option: archive_command, value: x }]"]),
            "'archive_command' is set by the backups; take it out, or set wal_g_install to false"
        ),
        (
            Sample.text(Sample.variables + ["patroni_create_replica_methods: [wal_g]"]),
            "replicas cannot be made from backups that are not made; set wal_g_install to true, or take 'wal_g' out"
        ),
        (
            WALGSample.text([WALGSample.settings, "patroni_standby_cluster: { host: 10.1.1.1 }"]),
            "a cluster that follows another one archives nothing of its own, so it can have no backups"
        ),
    ]

    @Test("what is wrong is told before any host is contacted", arguments: faults.indices)
    func fault(index: Int) throws {
        let (text, expected) = Self.faults[index]
        let faults = try #require(throws: Diagnostics.self) { try Sample.configuration(text) }
        #expect(faults.description.contains(expected), "\(faults)")
    }

    @Test("a folder that the members share, or the only one has")
    func shared() throws {
        #expect(try walg(WALGSample.text([Self.folder, "wal_g_repo_shared: true"])).folder == "/srv/walg")
        let alone = WALGSample.text([Self.folder]).replacing("hosts: { pg2: , pg3: }", with: "hosts: { }")
        #expect(try walg(alone).folder == "/srv/walg")
    }
}
