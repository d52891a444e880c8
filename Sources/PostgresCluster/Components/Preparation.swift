public import Drover
public import Inventory
import SystemResources

extension Cluster {
    /// What a host needs before its daemons are configured: all packages of all its parts, in one transaction.
    @ResourceBuilder
    public func preparation(on host: Host) throws -> [any Resource] {
        try noClusterOfThePackages(on: host)
        if member(host) != nil {
            // The memory of a database is its cache; pushing it out to make room for files helps nobody.
            Sysctl("vm.swappiness", "1")
        }
        Packages(packages(of: host))
    }

    private func packages(of host: Host) -> [String] {
        var packages = ["curl"]
        if etcdNode(host) != nil { packages += Cluster.etcdPackages }
        if member(host) != nil { packages += patroniPackages + Cluster.pgbouncerPackages }
        if balancer(host) != nil { packages += Cluster.haproxyPackages + keepalivedPackages }
        return packages
    }
}
