import ArgumentParser
import Engine
import Inventory
import PostgresCluster
import SystemResources

/// Takes a balancer off a running cluster; the others hold the address.
struct RemoveBalancer: ClusterPlaybook {
    static let name = "remove-balancer"
    static let abstract = "Remove a balancer from a running PostgreSQL cluster."

    @Option(help: "The balancer to remove. It still stands in the inventory; take it out afterwards.")
    var node: String

    var isIndivisible: Bool { true }

    func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        try model.requireRemovable(balancer: node)
        return model
    }

    func questions(of host: Host, in model: ClusterModel) -> [any Fact] {
        model.questionsBeforeRemovingBalancer(of: host)
    }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.refuseUnlessRemovable(balancer: node)
        return nil
    }

    /// The address moves once, before anything else happens.
    func plays(for cluster: Cluster) throws -> [Play] {
        let rest = cluster.without(balancer: node)
        let host = cluster.configuration.balancers.map(\.host).filter { $0.name == node }
        let others = rest.configuration.balancers.map(\.host)
        return [
            Play("Hand the address over", on: host) { cluster.withoutAddress(on: $0) },
            Play("See that it is held", on: others) { _ in rest.addressIsHeld },
            Play("Let its peers forget it", on: rest.addressHoldersLast, rest.addressPace) {
                try rest.keepalived(on: $0)
            },
            Play("Stop it", on: host) { cluster.drainedBalancer(on: $0) },
            rest.filteringLeft,
            Play("Take its files away", on: host) { try cluster.formerBalancer(on: $0) },
            Play("Prove that clients are served", on: others) { rest.service(of: $0) },
        ]
    }
}
