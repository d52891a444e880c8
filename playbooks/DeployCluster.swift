import ArgumentParser
import Drover
import PostgresCluster

/// Makes a PostgreSQL high-availability cluster of the hosts of an inventory, or brings the one that they are to what
/// the inventory says.
struct DeployCluster: ClusterPlaybook {
    static let name = "deploy-cluster"
    static let abstract = "Deploy a PostgreSQL cluster, or bring a running one to what the inventory says."

    /// Balancers come before the database, since handing out the address takes its time and needs no database.
    func plays(for cluster: Cluster) throws -> [Play] {
        try cluster.refuseUnlessNewOrRunning()
        let configuration = cluster.configuration
        let balancers = configuration.balancers.map(\.host)
        return [
            Play("Install the packages", on: configuration.hosts) { try cluster.preparation(on: $0) },
            Play("Start etcd", on: configuration.etcd.map(\.host), .rolling) { try cluster.etcd(on: $0) },
            Play("Balance the load", on: balancers, .rolling) { try cluster.haproxy(on: $0) },
            Play("Hold the address", on: balancers, .rolling) { try cluster.keepalived(on: $0) },
            Play("Start the leader", on: cluster.starters.map(\.host), .rolling) { host in
                try cluster.patroni(on: host)
                try cluster.pgbouncer(on: host)
            },
            Play("Set the shared configuration", on: [cluster.leader.host]) { _ in cluster.sharedConfiguration },
            Play("Create roles, databases and slots", on: [cluster.leader.host]) { _ in cluster.catalogue },
            Play("Start the replicas", on: cluster.followers.map(\.host), .rolling) { host in
                try cluster.patroni(on: host)
                try cluster.pgbouncer(on: host)
            },
            Play("Prove that clients are served", on: balancers) { cluster.service(of: $0) },
        ]
    }
}
