public import Engine
public import Inventory
import SystemResources

extension Cluster {
    /// What a host needs before its daemons are configured: all packages of all its parts, in one transaction.
    @ResourceBuilder
    public func preparation(on host: Host) throws -> [any Resource] {
        try noClusterOfThePackages(on: host)
        try settingsOfComingUnits(on: host)
        // To this the kernel cuts every listener's queue of clients that nobody has accepted yet.
        if !configuration.kernelParameters(of: host).contains(where: { $0.name == Cluster.listenersQueue }) {
            Sysctl(Cluster.listenersQueue, "65535")
        }
        Packages(packages(of: host).map { Package($0) } + unwantedPackages.map { .absent($0) })
    }

    private static let listenersQueue = "net.core.somaxconn"

    /// The packages that the parts of a host want.
    func packages(of host: Host) -> [String] {
        var packages = ["curl"]
        let platform = configuration.platform
        if etcdNode(host) != nil { packages += platform.etcd.packages }
        if member(host) != nil {
            packages += [configuration.postgres.package] + platform.patroni.packages + platform.pgbouncer.packages
            packages += configuration.postgres.packages
        }
        if balancer(host) != nil { packages += platform.haproxy.packages }
        if configuration.mayHoldAddress(host.name) { packages += platform.keepalived.packages }
        packages +=
            backupPackages(on: host) + systemPackages + exporterPackages(of: host) + encryptionPackages(of: host)
        return packages
    }
}
