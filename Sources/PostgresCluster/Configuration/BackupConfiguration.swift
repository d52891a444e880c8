import Inventory
import Secrets

extension ClusterConfiguration {
    /// How pgBackRest keeps backups of the cluster.
    public struct Backups: Sendable {
        /// `pgbackrest_stanza`: under which name the repository knows the cluster.
        public let stanza: String
        /// `pgbackrest_repo_type`.
        public let storage: Storage
        /// Group `pgbackrest`: the host that has the repository, or nil when the members reach it themselves.
        public let host: Node?
        /// `pgbackrest_repo_user`: the user whose repository it is on that host.
        public let user: String
        /// `pgbackrest_conf`, after what Drover sets where it is silent.
        public let options: [BackupOption]
        /// `pgbackrest_schedule`.
        public let schedule: BackupSchedule

        /// The storage of the repository.
        public enum Storage: String, CaseIterable, Sendable {
            case posix, s3, gcs, azure
        }

        /// Where the repository is on its host or its store.
        var path: String {
            options.first { $0.name == "repo1-path" }?.value.reveal() ?? Backups.directory(in: "lib", of: user)
        }

        /// Debian's package makes `/var/lib/pgbackrest` and `/var/log/pgbackrest` for `postgres`; another user has others.
        ///
        /// - Parameter place: `lib` or `log`.
        static func directory(in place: String, of user: String) -> String {
            "/var/\(place)/pgbackrest" + (user == "postgres" ? "" : "-\(user)")
        }
    }

    /// How a replica gets its first copy of the database.
    public enum ReplicaMethod: String, CaseIterable, Sendable {
        case pgbackrest, basebackup
        case walG = "wal_g"
    }

    /// The hosts that have the tool of the backups; none without backups.
    public var backupHosts: [Node] {
        guard let backups else { return walg == nil ? [] : members }
        return members + (backups.host.map { [$0] } ?? [])
    }
}

/// When backups are made, each by a calendar expression of systemd; a kind without one is not made by itself.
public struct BackupSchedule: Sendable, Equatable {
    public var full: String? = "Sun *-*-* 01:00"
    public var differential: String? = "Mon..Sat *-*-* 01:00"
    public var incremental: String? = "*-*-* 07,13,19:00"

    subscript(kind: BackupKind) -> String? {
        switch kind {
        case .full: full
        case .differential: differential
        case .incremental: incremental
        }
    }
}

/// How much a backup copies, in pgBackRest's words.
public enum BackupKind: String, CaseIterable, Sendable, Codable {
    /// Everything.
    case full
    /// What has changed since the last full one.
    case differential = "diff"
    /// What has changed since the last one.
    case incremental = "incr"
}
