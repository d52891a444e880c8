extension ClusterConfiguration {
    /// What a node can be in a cluster.
    enum Part: Sendable {
        case member, etcd, balancer
    }

    /// The cluster in which a node no longer has some of its parts: as its files are to name it on the others.
    func without(_ name: String, as parts: Set<Part>) -> ClusterConfiguration {
        var others = self
        if parts.contains(.member) { others.members.removeAll { $0.name == name } }
        if parts.contains(.etcd) { others.etcd.removeAll { $0.name == name } }
        if parts.contains(.balancer) { others.balancers.removeAll { $0.name == name } }
        return others
    }
}

extension Cluster {
    /// The same cluster, in which a node no longer has some of its parts, whatever the cluster itself still says.
    func without(_ name: String, as parts: Set<ClusterConfiguration.Part>) -> Cluster {
        let isMember = !parts.contains(.member)
        var cluster = Cluster(
            configuration: configuration.without(name, as: parts), state: state,
            membership: isMember
                ? membership : Membership(members: membership.members(except: [name]), isPaused: membership.isPaused),
            observed: observed, templates: templates, backupSightings: backupSightings)
        (cluster.authority, cluster.etcdAuthority, cluster.now) = (authority, etcdAuthority, now)
        return cluster
    }
}
