import Secrets
public import SystemResources

extension ClusterConfiguration {
    /// How WAL-G keeps backups of the cluster.
    public struct WALG: Sendable {
        /// `wal_g_path`: where the program is on the members.
        public let program: String
        public let origin: Origin
        /// `wal_g_json`, after what Drover sets where it is silent.
        public let options: [WALGOption]
        /// `wal_g_schedule`.
        public let schedule: BackupSchedule
        /// `wal_g_retention_full`: how many full backups stay.
        public let retention: Int
        /// The backup of another cluster with which a new one begins; nil when it begins with nothing.
        public internal(set) var source: WALGSource?

        /// The source of the program.
        public enum Origin: Sendable, Equatable {
            /// `wal_g_package`: of a repository that the hosts have, or of the directory given with `--offline`.
            case package(String)
            /// `wal_g_file`: a program on this machine.
            case file(LocalFile)
        }

        /// Where the backups are.
        var place: String {
            options.first { WALGOption.prefixes.contains($0.name) }.map { "\($0.value)" } ?? "?"
        }

        /// The folder that has the backups, when it is one.
        var folder: String? { options.first { $0.name == "WALG_FILE_PREFIX" }?.value.reveal() }

        /// Where segments wait that are fetched ahead: not in the data directory, where `pg_rewind` would stumble over them.
        var prefetchFolder: String { options.first { $0.name == "WALG_PREFETCH_DIR" }?.value.reveal() ?? "" }
    }

    /// Whether backups are made, by whatever tool.
    var hasBackups: Bool { backups != nil || walg != nil }
}
