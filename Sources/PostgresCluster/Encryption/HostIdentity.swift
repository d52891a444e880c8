/// As whom the daemons of a host show themselves. Each has a key of its own.
enum HostIdentity: String, CaseIterable, Sendable {
    case etcd
    /// PostgreSQL, Patroni and PgBouncer, which are one user.
    case postgres
    /// Patroni as a client of etcd.
    case etcdClient = "etcd-client"

    /// Where everything for TLS is on a host.
    static let folder = "/etc/ssl/drover"
    /// Whom a host trusts.
    static let authority = folder + "/ca.crt"
    /// The CA that etcd and its clients trust. Each of its certificates permits writes to etcd.
    static let etcdAuthority = folder + "/etcd-ca.crt"

    /// Its user and group.
    var user: String { self == .etcd ? "etcd" : "postgres" }
    var certificate: String { "\(HostIdentity.folder)/\(rawValue).crt" }
    /// A key that was made to replace the other one, until there is a certificate for it.
    var nextKey: String { "\(key).next" }
    var key: String { "\(HostIdentity.folder)/\(rawValue).key" }
    /// Whom those trust to whom it shows itself.
    var authority: String { self == .postgres ? HostIdentity.authority : HostIdentity.etcdAuthority }
}
