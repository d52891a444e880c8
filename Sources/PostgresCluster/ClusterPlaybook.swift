public import Drover
public import Inventory

/// A playbook for a PostgreSQL cluster: its model is what the inventory says of the cluster.
public protocol ClusterPlaybook: Playbook where Model == ClusterModel {
    /// The plays that bring the cluster to the declared state.
    ///
    /// - Throws: `Refusal` when the cluster that was found must not be touched.
    func plays(for cluster: Cluster) throws -> [Play]
}

/// A cluster's configuration and the templates of its files.
public struct ClusterModel: Sendable {
    let configuration: ClusterConfiguration
    let templates: ClusterTemplates
}

extension ClusterPlaybook {
    public func model(of inventory: Inventory) throws -> ClusterModel {
        ClusterModel(configuration: try ClusterConfiguration(inventory), templates: try ClusterTemplates.installed())
    }

    public func hosts(of model: ClusterModel) -> [Host] { model.configuration.hosts }

    public func questions(of host: Host, in model: ClusterModel) -> [any Fact] {
        ClusterQuestions(configuration: model.configuration).questions(of: host)
            + BackupQuestions(configuration: model.configuration).questions(of: host)
    }

    public func plays(for model: ClusterModel, observed: Observations) throws -> [Play] {
        let state = ClusterQuestions(configuration: model.configuration).state(given: observed)
        return try plays(
            for: Cluster(
                configuration: model.configuration, state: state, templates: model.templates,
                backupSightings: BackupQuestions(configuration: model.configuration).sightings(given: observed)))
    }
}
