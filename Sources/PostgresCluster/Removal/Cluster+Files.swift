import Inventory

/// The files that a host has because of its parts. What others have put beside them stays.
extension Cluster {
    /// What every host has.
    static let sharedFile = "/etc/sysctl.d/90-drover-net.core.somaxconn.conf"

    private static let memberFiles =
        PatroniCorrection.paths + [
            "/etc/pgbouncer/userlist.txt", "/etc/pgbouncer/listen.ini", "/etc/pgbouncer/pgbouncer.ini",
            PatroniUnitSettings.path, PgBouncerUnitSettings.path, "/etc/postgresql-common/createcluster.d/drover.conf",
            PatroniEtcdSettings.path, PatroniAPI.login, PatroniFenceUnit.path, PatroniFence.path,
            // Patroni writes its passwords there.
            "/var/lib/postgresql/.pgpass_patroni",
            // The last, for it tells whose the data is.
            ConfiguredScope.path,
        ]

    var etcdFiles: [String] {
        [EtcdUnitSettings.path, EtcdInitialCluster.path, "/etc/default/etcd"]
            + files(of: .etcd)
    }

    /// Those of TLS, unless somebody else has put them there.
    private func files(of identity: HostIdentity) -> [String] {
        ownsIdentities ? [identity.certificate, identity.key] : []
    }

    /// Whom a host trusts, unless somebody else has put that there.
    var authorityFiles: [String] { ownsIdentities ? [HostIdentity.authority, HostIdentity.etcdAuthority] : [] }

    private var ownsIdentities: Bool { configuration.tls?.isIssued ?? true }

    /// Those of the database come last: they tell whose the data is.
    var memberFiles: [String] {
        (configuration.addressFollowsLeader ? addressFiles : []) + backupFiles + files(of: .postgres)
            + files(of: .etcdClient)
            + Cluster.memberFiles
    }

    var balancerFiles: [String] {
        ["/etc/haproxy/haproxy.cfg"] + (configuration.balancing.address == nil ? [] : addressFiles)
    }

    private var addressFiles: [String] { [KeepalivedUnitSettings.path, KeepalivedPriority.path] }

    /// What keeps the inventory's own commands from running again, which they do for another cluster on these hosts.
    private var commandMarks: [String] {
        [configuration.system.commandBefore, configuration.system.commandAfter].compactMap { $0?.mark }
    }

    /// All but those of etcd.
    func files(of host: Host) -> [String] {
        [Cluster.sharedFile] + commandMarks + (balancer(host) == nil ? [] : balancerFiles)
            // Etcd goes on needing it.
            + (etcdNode(host) == nil && speaksTLS(host) ? authorityFiles : [])
            + (member(host) == nil ? [] : memberFiles)
    }
}
