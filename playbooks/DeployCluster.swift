import ArgumentParser
import Engine
import Inventory
import PostgresCluster

/// Makes a PostgreSQL high-availability cluster of the hosts of an inventory, or brings the one that they are to what
/// the inventory says.
struct DeployCluster: ClusterPlaybook {
    static let name = "deploy-cluster"
    static let abstract = "Deploy a PostgreSQL cluster, or bring a running one to what the inventory says."

    @Option(help: "What becomes of parameters that want a restart of PostgreSQL: never (they wait) or rolling.")
    var restart: RestartMode = .never

    @OptionGroup var preflight: PreflightOptions

    var separatesEtcd: Bool { true }

    func model(of inventory: Inventory) throws -> ClusterModel {
        try preflight.check()
        return try ClusterModel(inventory)
    }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.preflight(waiving: preflight.waived).refuseUnlessPassed()
        return nil
    }

    /// The balancers of a new cluster come before the database, since handing out the address takes its time and needs no
    /// database. Its members clone the leader as soon as it leads, while it gets its roles and databases. A leader that
    /// there is comes last of the members; those that the inventory gained are cloned when all others know them.
    func plays(for cluster: Cluster) throws -> [Play] {
        let preflight = cluster.preflight(waiving: preflight.waived)
        try preflight.accompanying([
            cluster.refuseUnlessNewOrRunning, cluster.refuseUnfitServer, cluster.refuseUnlessNewcomersFit,
            cluster.refuseForeignStanza,
            cluster.refuseUnfitSource, cluster.refuseUnusableStore,
        ])
        let configuration = cluster.configuration
        let balancers = configuration.balancers.map(\.host)
        let firstBalancers = cluster.firstBalancers.map(\.host)
        let pace: Play.Strategy = cluster.firstNewcomers.isEmpty ? .together : .free
        return try [
            preflight.play,
            cluster.examination(),
            cluster.adoptionExamination(),
            cluster.deployCommand(configuration.system.commandBefore),
            Play("Install the packages", on: configuration.hosts, tags: ["packages"]) {
                try cluster.preparation(on: $0)
            },
        ] + cluster.systemPlays(on: configuration.hosts) + cluster.encryption(on: configuration.hosts) + [
            cluster.etcdAccess(on: configuration.members.map(\.host)),
            Play("Start etcd", on: configuration.etcd.map(\.host), .rolling, tags: ["etcd"]) {
                try cluster.etcd(on: $0)
            },
            Play("Balance the load", on: firstBalancers, .free, tags: ["haproxy"]) { try cluster.haproxy(on: $0) },
            Play("Hold the address", on: firstBalancers, .free, tags: ["keepalived"]) {
                try cluster.keepalived(on: $0)
            },
            Play("Prepare the backups", on: configuration.backupHosts.map(\.host), tags: ["pgbackrest"]) {
                try cluster.backupTool(on: $0)
            },
            Play("Let the hosts of the backups in", on: cluster.backupPeers, tags: ["pgbackrest"]) {
                try cluster.backupTrust(on: $0)
            },
            cluster.adoptionPreparation(),
            cluster.storeExamination(),
            cluster.sourceExamination(),
            Play("Start the leader", on: cluster.starters.map(\.host), .rolling, tags: ["patroni", "pgbouncer"]) {
                try cluster.patroni(on: $0)
                try cluster.pgbouncer(on: $0)
            },
            cluster.cloning(cluster.firstNewcomers, .free),
            cluster.findingLeader(pace),
            Play("Set the shared configuration", on: [cluster.leader.host], pace, tags: ["patroni"]) { _ in
                cluster.sharedConfiguration
                cluster.independence
            },
            Play("Create roles and databases", on: [cluster.leader.host], pace, tags: ["catalogue"]) { _ in
                cluster.catalogue
            },
            Play("Create the stanza", on: cluster.backupMakers, tags: ["pgbackrest"]) { cluster.stanza(on: $0) },
        ] + cluster.updates + [cluster.cloning(cluster.laterNewcomers)] + cluster.etcdSeparation
            + cluster.balancing(cluster.newBalancers, beside: cluster.presentBalancers)
            + [cluster.followingLeader(configuration.members)] + cluster.restarts(restart) + [
                cluster.monitoring(of: configuration.hosts),
                Play("Prove that the address is at the leader", on: cluster.addressedLeader, tags: ["check"]) {
                    cluster.leaderAddressIsHeld(on: $0)
                },
                Play("Prove that clients are served", on: balancers, tags: ["check"]) {
                    cluster.service(of: $0)
                    cluster.readers(of: $0)
                },
                Play("Let timers make backups", on: cluster.backupKeepers, tags: ["pgbackrest"]) {
                    try cluster.backupTimers(on: $0)
                },
                Play("Make the first backup", on: cluster.backupMakers, tags: ["pgbackrest"]) {
                    cluster.firstBackup(on: $0)
                },
                cluster.deployCommand(configuration.system.commandAfter),
            ]
    }
}
