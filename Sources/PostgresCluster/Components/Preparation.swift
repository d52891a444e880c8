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
        if etcdNode(host) != nil { packages += Cluster.etcdPackages }
        if member(host) != nil {
            packages += patroniPackages + Cluster.pgbouncerPackages + configuration.postgres.packages
        }
        if balancer(host) != nil { packages += Cluster.haproxyPackages }
        if configuration.mayHoldAddress(host.name) { packages.append("keepalived") }
        packages +=
            backupPackages(on: host) + systemPackages + exporterPackages(of: host) + encryptionPackages(of: host)
        return packages
    }
}
