import ArgumentParser
import Engine
import Inventory
import PostgresCluster

/// Lets another member lead, while clients wait for a moment.
struct SwitchOver: ClusterPlaybook {
    static let name = "switchover"
    static let abstract = "Let another member of a PostgreSQL cluster lead."

    @Option(help: "Who shall lead; the member in the group 'master' unless named.")
    var to: String?

    var isIndivisible: Bool { true }

    var issuesCertificates: Bool { false }

    func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        if let to { try model.requireMember(to) }
        return model
    }

    func questions(of host: Host, in model: ClusterModel) -> [any Fact] { model.questionsBeforeSwitchover(of: host) }

    func confirmation(for cluster: Cluster) throws -> Confirmation? {
        try cluster.refuseUnlessMayLead(cluster.successor(named: to))
        return nil
    }

    func plays(for cluster: Cluster) throws -> [Play] { cluster.switchover(to: cluster.successor(named: to)) }
}
