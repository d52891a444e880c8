import Engine

extension ClusterConfiguration {
    /// The same cluster on hosts of another platform, whose defaults stand in for what the inventory does not say.
    func on(_ platform: Platform) -> ClusterConfiguration {
        var configuration = self
        configuration.postgres.platform = platform
        return configuration
    }

    var platform: Platform { postgres.platform }

    /// The same cluster on the platform that its members have reported; the assumed one while none has.
    func on(platformIn observed: Observations) -> ClusterConfiguration {
        let release = members.lazy.compactMap { observed[$0.host].ifKnown(HostRelease()) }.first
        return release.map { on(.nearest(to: $0)) } ?? self
    }
}
