/// As whom the daemons of a host show themselves: each of the two that have a key keeps it from the other.
enum HostIdentity: String, CaseIterable, Sendable {
    case etcd
    /// PostgreSQL, Patroni and PgBouncer, which are one user.
    case postgres

    /// Where everything for TLS is on a host.
    static let folder = "/etc/ssl/drover"
    /// Whom a host trusts.
    static let authority = folder + "/ca.crt"

    /// Its user and group.
    var user: String { rawValue }
    var certificate: String { "\(HostIdentity.folder)/\(rawValue).crt" }
    /// A key that was made to replace the other one, until there is a certificate for it.
    var nextKey: String { "\(key).next" }
    var key: String { "\(HostIdentity.folder)/\(rawValue).key" }

    /// The options of `curl` with which a host asks as this.
    var curlOptions: [String] { ["--cacert", HostIdentity.authority, "--cert", certificate, "--key", key] }
}
