import Drover
import Inventory

/// A cluster to be brought about: what the inventory wants, with which templates, and what was found of it.
public struct Cluster: Sendable {
    public let configuration: ClusterConfiguration
    public let state: ClusterState
    let templates: ClusterTemplates

    /// The part of a host as member of etcd, nil when it has none. Likewise the two below.
    func etcdNode(_ host: Host) -> Node? { configuration.etcd.first { $0.name == host.name } }
    func member(_ host: Host) -> Node? { configuration.members.first { $0.name == host.name } }
    func balancer(_ host: Host) -> Node? { configuration.balancers.first { $0.name == host.name } }

    /// Who leads, or begins a new cluster.
    public var leader: Node {
        if case .running(let leader?) = state, let node = configuration.members.first(where: { $0.name == leader }) {
            return node
        }
        return configuration.members[0]
    }

    /// The members that do not lead.
    public var replicas: [Node] { configuration.members.filter { $0.name != leader.name } }
}
