import ArgumentParser
import Engine
import Inventory
import PostgresCluster

/// Takes a replica out of a running cluster, and its name out of every place that has it. Its data is kept under another
/// name.
struct RemovePgNode: ClusterPlaybook {
    static let name = "remove-pgnode"
    static let abstract = "Remove a replica from a running PostgreSQL cluster; its data is set aside."

    @Option(help: "The member to remove. It still stands in the inventory; take it out afterwards.")
    var node: String

    @Flag(help: "Take it out of etcd too.")
    var etcd = false

    var isIndivisible: Bool { true }

    func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        try model.requireRemovable(member: node, leavesEtcd: etcd)
        return model
    }

    func questions(of host: Host, in model: ClusterModel) -> [any Fact] { model.questionsBeforeRemovingNode(of: host) }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.refuseUnlessRemovable(member: node, leavesEtcd: etcd)
        return nil
    }

    /// Clients first, so that none is led to what stops; the data last, when nobody counts on it any more.
    func plays(for cluster: Cluster) throws -> [Play] {
        let (name, leavesEtcd) = (node, etcd)
        let rest = cluster.without(member: name, leavesEtcd: leavesEtcd)
        let host = cluster.configuration.members.map(\.host).filter { $0.name == name }
        let balancers = cluster.configuration.balancers.map(\.host)
        let speaker = cluster.etcdSpeaker(except: name).host
        return [
            Play("Lead no more clients to it", on: balancers, .rolling) { try rest.haproxy(on: $0, without: name) },
            Play("Stop it", on: host) {
                if cluster.configuration.addressFollowsLeader { cluster.withoutAddress(on: $0) }
                cluster.drainedMember(on: $0)
            },
            Play("Let the leader forget it", on: [rest.leader.host]) { _ in rest.forgotten(member: name) },
            Play("Let the members forget it", on: rest.membersLeaderLast, .rolling) { try rest.patroni(on: $0) },
            Play(
                "Let those that may hold the address forget it",
                on: cluster.configuration.addressFollowsLeader ? rest.membersLeaderLast : [], .rolling
            ) { try rest.leaderAddress(on: $0) },
            Play("Let the repository forget it", on: rest.repositoryHost) {
                try rest.backupTool(on: $0)
                try rest.backupTrust(on: $0)
            },
            Play("Let etcd forget it", on: leavesEtcd ? [speaker] : []) { _ in cluster.etcd(without: name) },
            rest.filteringLeft,
            Play("Take its data away", on: host) { try cluster.formerMember(on: $0, leavesEtcd: leavesEtcd) },
            Play("Prove that clients are served", on: balancers) { rest.service(of: $0) },
        ]
    }
}
