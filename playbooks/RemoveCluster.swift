import ArgumentParser
import Engine
import Inventory
import PostgresCluster
import SystemResources

/// Takes a cluster that is no longer needed off its hosts. Its data and its backups are kept under other names.
struct RemoveCluster: ClusterPlaybook {
    static let name = "remove-cluster"
    static let abstract = "Remove a cluster that is no longer needed; its data and its backups are set aside."

    @Flag(help: "Delete the data instead of setting it aside, and what was set aside before.")
    var purge = false

    @Flag(
        help:
            "Delete its backups and its archive too, when it is gone, instead of setting them aside; those set aside before, too."
    )
    var withBackups = false

    @Flag(help: "Remove it although clients are connected, or somebody has just written.")
    var evenIfInUse = false

    var isIndivisible: Bool { true }

    var issuesCertificates: Bool { false }

    func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        if withBackups { try model.requireRemovableBackups() }
        return model
    }

    func questions(of host: Host, in configuration: ClusterConfiguration) -> [any Fact] {
        configuration.removalQuestions(of: host)
    }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.removalConfirmation(deletes: purge, evenIfInUse: evenIfInUse, withBackups: withBackups)
    }

    /// From the clients inwards, so that nobody is led to what is gone; and what tells whose the data is comes last.
    func plays(for cluster: Cluster) throws -> [Play] {
        let configuration = cluster.configuration
        let all = configuration.removal.postgres
        let members = all ? configuration.members.map(\.host) : []
        let balancers = all ? configuration.balancers.map(\.host) : []
        let etcd = configuration.etcd.map(\.host)
        let (deletes, withBackups) = (purge, withBackups)
        return [
            Play("Pause the failover", on: all ? [cluster.leader.host] : []) { _ in cluster.pause },
            Play("Stop the backups", on: all ? cluster.backupKeepers : []) { cluster.withoutBackups(on: $0) },
            Play("Take the address away", on: all ? cluster.addressHoldersLast : [], .rolling) {
                cluster.withoutAddress(on: $0)
            },
            Play("Stop the balancers", on: balancers) { _ in StoppedService("haproxy") },
            Play("Stop the poolers", on: members) { _ in StoppedService("pgbouncer") },
            Play("Stop the replicas", on: all ? cluster.membersBeforeLeader : []) { cluster.stopped(on: $0) },
            Play("Stop the leader", on: all ? [cluster.leader.host] : []) { cluster.stopped(on: $0) },
            // While the data still tells whose they are.
            Play("Set the backups aside", on: all && !withBackups ? cluster.backupSpeaker : []) { _ in
                cluster.keptStanza
            },
            Play("Forget the cluster in etcd", on: all ? [cluster.etcdSpeaker.host] : []) { _ in cluster.forgotten },
            Play("Take the data away", on: members) { cluster.withoutData(on: $0, deletes: deletes) },
            Play("Delete the backups", on: all && withBackups ? cluster.backupSpeaker : []) { _ in
                cluster.withoutStanza
            },
            Play("Take the files away", on: all ? configuration.hosts : []) {
                try cluster.withoutFiles(on: $0, withBackups: withBackups)
            },
            Play("Give up etcd", on: etcd) { try cluster.givenUpEtcd(on: $0) },
            Play("Take etcd away", on: etcd) { try cluster.withoutEtcd(on: $0, deletes: deletes) },
        ]
    }
}
