/// The Debian that the hosts of a lab run.
public enum Release: String, CaseIterable, Sendable {
    /// Debian 12, with PostgreSQL 15, Patroni 3.0 and etcd 3.4.
    case bookworm
    /// Debian 13, with PostgreSQL 17, Patroni 4.0 and etcd 3.5.
    case trixie

    /// The major version of PostgreSQL that this Debian ships.
    var postgresqlVersion: Int {
        switch self {
        case .bookworm: 15
        case .trixie: 17
        }
    }
}
