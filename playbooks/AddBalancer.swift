import ArgumentParser
import Engine
import Inventory
import PostgresCluster

/// Makes a host of the group `balancers` a balancer of a running cluster. The address stays where it is.
struct AddBalancer: ClusterPlaybook {
    static let name = "add-balancer"
    static let abstract = "Add a balancer to a running PostgreSQL cluster."

    @Option(help: "The new balancer, as the inventory names it in the group 'balancers'.")
    var node: String

    @OptionGroup var preflight: PreflightOptions

    func model(of inventory: Inventory) throws -> ClusterModel {
        try preflight.check()
        let model = try ClusterModel(inventory)
        try model.requireBalancer(node)
        return model
    }

    func questions(of host: Host, in model: ClusterModel) -> [any Fact] {
        model.questions(of: host, addingBalancer: node)
    }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.preflight(waiving: preflight.waived, of: [node]).refuseUnlessPassed()
        return nil
    }

    func plays(for cluster: Cluster) throws -> [Play] {
        let preflight = cluster.preflight(waiving: preflight.waived, of: [node])
        try preflight.accompanying([{ try cluster.refuseUnlessReady(forBalancer: node) }])
        let newcomer = cluster.balancer(named: node)
        let others = (cluster.firstBalancers + cluster.presentBalancers).filter { $0.name != node }
        let host = newcomer.map(\.host)
        return [
            preflight.play,
            Play("Install the packages", on: host, tags: ["packages"]) { try cluster.preparation(on: $0) },
        ]
            + cluster.systemPlays(on: host) + cluster.encryption(on: host)
            + cluster.balancing(newcomer, beside: others)
            + [
                cluster.monitoring(of: host),
                Play("Prove that clients are served", on: host, tags: ["check"]) { cluster.service(of: $0) },
            ]
    }
}
