import Engine
import Secrets

@testable import PostgresCluster

/// The sample cluster with backups of WAL-G.
enum WALGSample {
    /// Any file will do.
    static let program = Sample.folder("Tests/Integration/Support") + "/wal-g-stand-in"

    static let settings = """
        wal_g_json: { WALG_S3_PREFIX: s3://backups/demo, AWS_ACCESS_KEY_ID: access-key, AWS_REGION: eu-1, \
        AWS_SECRET_ACCESS_KEY: 'secret"key' }
        """

    /// - Parameter variables: beside those of every cluster, `wal_g_install`, and where the program comes from.
    static func text(_ variables: [String] = [settings], from origin: String = "wal_g_file: \(program)") -> String {
        Sample.text(Sample.variables + ["wal_g_install: true", origin] + variables)
    }

    static let source = [
        settings, "patroni_cluster_bootstrap_method: wal-g", "wal_g_source_json: { WALG_S3_PREFIX: s3://backups/shop }",
    ]

    /// As WAL-G 3.0 prints it: a full backup, one with what has changed since, and one with what has changed since that.
    static let list = #"""
        [{"backup_name":"base_000000010000000000000004","time":"2026-11-22T13:22:07Z","wal_file_name":\#
        "000000010000000000000004","storage_name":"default","start_time":"2026-11-22T13:22:03.793015Z","finish_time":\#
        "2026-11-22T13:22:06.5385781Z","date_fmt":"%Y-%m-%dT%H:%M:%S.%fZ","hostname":"pg1","data_dir":\#
        "/var/lib/postgresql/15/main","pg_version":150013,"start_lsn":67108904,"finish_lsn":83886160,"is_permanent":\#
        false,"system_identifier":7710985427043285199,"uncompressed_size":23267311,"compressed_size":2866976},\#
        {"backup_name":"base_000000010000000000000007_D_000000010000000000000004","time":"2026-11-22T13:23:31Z",\#
        "wal_file_name":"000000010000000000000007","start_time":"2026-11-22T13:23:27Z","finish_time":\#
        "2026-11-22T13:23:31Z","pg_version":150013,"start_lsn":117440552,"finish_lsn":117440824,"system_identifier":\#
        7710985427043285199,"uncompressed_size":99000,"compressed_size":4100},\#
        {"backup_name":"base_000000010000000000000009_D_000000010000000000000007","wal_file_name":\#
        "000000010000000000000009","start_time":"2026-11-22T13:24:00Z","finish_time":"2026-11-22T13:24:01Z",\#
        "pg_version":150013,"system_identifier":7710985427043285199}]
        """#

    static let question = WALGBackups(archive: "demo", program: "/usr/local/bin/wal-g", settings: "{}")

    /// What is told at some time, in seconds since 1970.
    static func answer(_ line: String, at now: Int = 1_795_353_871) throws -> PgBackRestInfo.Answer {
        try WALGBackups.answers(to: [question], from: "\(now) \(line)\n")[question] ?? .init(stanza: nil, now: 0)
    }
}
