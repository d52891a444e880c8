import Inventory

extension Cluster {
    /// The files that a host has because of its parts as member and balancer. What others have put beside them stays.
    func files(of host: Host) -> [String] {
        var files = ["/etc/sysctl.d/90-drover-net.core.somaxconn.conf"]
        if balancer(host) != nil {
            files.append("/etc/haproxy/haproxy.cfg")
            if configuration.balancing.address != nil { files.append("/etc/keepalived/keepalived.conf") }
        }
        if member(host) != nil {
            files += [
                "/etc/pgbouncer/userlist.txt", "/etc/pgbouncer/listen.ini", "/etc/pgbouncer/pgbouncer.ini",
                "/etc/systemd/system/patroni.service.d/drover.conf",
                "/etc/postgresql-common/createcluster.d/drover.conf",
                // Patroni writes its passwords there.
                "/var/lib/postgresql/.pgpass_patroni",
                // The last, for it tells whose the data is.
                ConfiguredScope.path,
            ]
        }
        return files
    }
}
