import Drover

extension ClusterConfiguration {
    /// - Throws: `Refusal` when the inventory wants no backups.
    func requiredBackups() throws -> Backups {
        guard let backups else {
            throw Refusal(
                "the inventory wants no backups of the cluster '\(name)'",
                remedies: ["set pgbackrest_install to true, and apply deploy-cluster"])
        }
        return backups
    }
}

extension Cluster {
    /// - Throws: `Refusal` unless somebody leads the cluster, who is to be backed up.
    func refuseUnlessLed() throws {
        switch state {
        case .unknown, .running(leader: .some, _): return
        case .new, .partial, .foreign, .running(leader: nil, _):
            throw Refusal(
                "nobody leads the cluster '\(configuration.name)'",
                remedies: ["see `drover status`; apply deploy-cluster makes or starts it"])
        }
    }
}
