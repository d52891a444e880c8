import ArgumentParser
import Engine
import Inventory
import PostgresCluster

/// Makes a host of the group `replica` a member of a running cluster: cloned, let in, and led to by all balancers.
struct AddPgNode: ClusterPlaybook {
    static let name = "add-pgnode"
    static let abstract = "Add a replica to a running PostgreSQL cluster."

    @Option(help: "The new member, as the inventory names it in the group 'replica'.")
    var node: String

    @Flag(help: "Let it join etcd too; it then also stands in the group 'etcd_cluster'.")
    var etcd = false

    @OptionGroup var preflight: PreflightOptions

    func model(of inventory: Inventory) throws -> ClusterModel {
        try preflight.check()
        let model = try ClusterModel(inventory)
        try model.requireReplica(node, withEtcd: etcd)
        return model
    }

    func questions(of host: Host, in model: ClusterModel) -> [any Fact] { model.questions(of: host, adding: node) }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.preflight(waiving: preflight.waived, of: [node]).refuseUnlessPassed()
        return nil
    }

    /// The members know it before it is cloned: they would turn it away. The replicas learn of it while its packages are
    /// installed, which takes longest; the leader comes last. They are reloaded once for both, though etcd is joined
    /// meanwhile: Patroni passes over a member of etcd that does not answer yet.
    func plays(for cluster: Cluster) throws -> [Play] {
        let preflight = cluster.preflight(waiving: preflight.waived, of: [node])
        try preflight.accompanying([{ try cluster.refuseUnlessReady(for: node, joinsEtcd: etcd) }])
        let newcomer = cluster.member(named: node)
        let host = newcomer.map(\.host)
        let leader = [cluster.leader].filter { $0.name != node }
        let replicas = (cluster.starters + cluster.present).filter { ![node, cluster.leader.name].contains($0.name) }
        return [
            preflight.play,
            Play("Install the packages", on: host, tags: ["packages"]) { try cluster.preparation(on: $0) },
            Play("Let the replicas know it", on: replicas.map(\.host), .free, tags: ["patroni"]) {
                try cluster.patroni(on: $0)
            },
        ] + cluster.systemPlays(on: host) + cluster.encryption(on: host) + newcomer.flatMap(cluster.backups(reaching:))
            + [
                cluster.etcdAccess(on: host),
                Play("Join etcd", on: etcd ? host : [], tags: ["etcd"]) { try cluster.etcd(on: $0) },
                Play("Let the leader know it", on: leader.map(\.host), tags: ["patroni"]) {
                    try cluster.patroni(on: $0)
                    cluster.monitoringRole
                },
                cluster.cloning(newcomer),
                cluster.followingLeader(replicas + leader + newcomer),
            ]
            + newcomer.flatMap { node in
                [
                    cluster.sharing(with: node, on: cluster.firstBalancers + cluster.presentBalancers),
                    cluster.backups(by: node), cluster.monitoring(of: [node.host]),
                ]
            }
    }
}
