import ArgumentParser
import Drover
import PostgresCluster

/// Makes a PostgreSQL high-availability cluster of the hosts of an inventory, or brings the one that they are to what
/// the inventory says.
struct DeployCluster: ClusterPlaybook {
    static let name = "deploy-cluster"
    static let abstract = "Deploy a PostgreSQL cluster, or bring a running one to what the inventory says."

    func plays(for cluster: Cluster) throws -> [Play] {
        try cluster.refuseUnlessNewOrRunning()
        let configuration = cluster.configuration
        return [
            Play("Install the packages", on: configuration.hosts) { host in
                try cluster.preparation(on: host)
            },
            Play("Start etcd", on: configuration.etcd.map(\.host), .rolling) { host in
                try cluster.etcd(on: host)
            },
            Play("Start the leader", on: [cluster.leader.host]) { host in
                try cluster.patroni(on: host)
                try cluster.pgbouncer(on: host)
            },
            Play("Set the shared configuration", on: [cluster.leader.host]) { _ in
                cluster.sharedConfiguration
            },
            Play("Create roles, databases and slots", on: [cluster.leader.host]) { _ in
                cluster.catalogue
            },
            Play("Start the replicas", on: cluster.replicas.map(\.host), .rolling) { host in
                try cluster.patroni(on: host)
                try cluster.pgbouncer(on: host)
            },
            Play("Balance the load", on: configuration.balancers.map(\.host), .rolling) { host in
                try cluster.haproxy(on: host)
            },
            Play("Hold the address", on: configuration.balancers.map(\.host), .rolling) { host in
                try cluster.keepalived(on: host)
            },
        ]
    }
}
