public import Engine
public import Inventory

/// Observes a cluster again and again, over connections that stay open until the program ends.
public struct ClusterObserver: Sendable {
    private let configuration: ClusterConfiguration
    private let survey: StandingSurvey

    /// - Throws: `Diagnostics` for a wrong inventory.
    public init(of inventory: Inventory, settings: ConnectionSettings) throws {
        configuration = try ClusterConfiguration(inventory)
        survey = StandingSurvey(of: configuration.hosts, settings: settings)
    }

    /// Asks all hosts of the cluster at once.
    ///
    /// - Throws: `HostFailures` when no host answers.
    public func observe() async throws -> ClusterStatus {
        let configuration = configuration
        let answers = await survey.ask { ClusterStatus.questions(of: $0, configuration, $1) }
        return try ClusterStatus.status(of: configuration, given: answers)
    }
}
