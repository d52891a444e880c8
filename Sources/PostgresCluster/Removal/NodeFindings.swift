import Engine
import Inventory
import SystemResources

/// What was found of a cluster that is to lose a member.
struct NodeFindings {
    /// Who leads, by the word of the cluster.
    var leader: String?
    /// Whether the node still is a member, by the word of the cluster.
    var isMember = true
    /// The other members that run and do not lead.
    var replicas: [String] = []
    /// How many of them must have what is committed; 0 when they need not.
    var synchronous = 0
    /// How many members etcd has, the node among them; 0 when it is none of them, or is to stay one.
    var etcdMembers = 0
    /// How many others of them are healthy.
    var healthyEtcdMembers = 0
}

extension NodeFindings {
    /// - Parameter leavesEtcd: whether the node is to leave etcd too.
    init(of cluster: Cluster, without name: String, leavesEtcd: Bool) {
        let others = cluster.membership.members(except: [name])
        leader = cluster.membership.leader?.name
        isMember = cluster.membership.member(named: name) != nil
        replicas = others.filter { $0.isRunning && !$0.isLeader }.map(\.name)
        synchronous = cluster.synchronousNodes
        guard leavesEtcd, let node = cluster.configuration.etcd.first(where: { $0.name == name }) else { return }
        let members = ClusterQuestions(configuration: cluster.configuration).etcdMembers(given: cluster.observed)
        guard members.contains(where: { $0.peerURLs.contains(cluster.configuration.endpoint(of: node).peerURL) }) else {
            return
        }
        etcdMembers = members.count
        healthyEtcdMembers =
            cluster.configuration.etcd.filter { other in
                let health = cluster.observed[other.host].ifKnown(
                    EtcdStatus.health(at: cluster.configuration.endpoint(of: other)))
                return other.name != name && health?.json(EtcdStatus.Health.self)?.health == "true"
            }.count
    }

    /// Everything that forbids that the node goes.
    ///
    /// - Parameters:
    ///   - name: the node.
    ///   - scope: the name of the cluster.
    func refusals(without name: String, scope: String) -> [Refusal] {
        var refusals: [Refusal] = []
        if leader == nil {
            refusals.append(
                Refusal(
                    "no member leads the cluster",
                    remedies: ["bring it back first: `drover apply deploy-cluster` starts what is stopped"]))
        } else if leader == name {
            let candidate = replicas.first.map { " --to \($0)" } ?? ""
            refusals.append(
                Refusal(
                    "\(name) leads the cluster",
                    remedies: [
                        "let another member lead: `drover apply switchover\(candidate)`"
                    ]))
        } else if isMember, replicas.count < synchronous {
            refusals.append(
                Refusal(
                    "without \(name) \(replicas.count) replicas are left that run, but \(synchronous) must have what is "
                        + "committed",
                    remedies: ["add another replica first, or end synchronous_mode"]))
        }
        if etcdMembers > 0, etcdMembers < 2 || healthyEtcdMembers < (etcdMembers - 1) / 2 + 1 {
            refusals.append(
                Refusal(
                    "without \(name) etcd would have \(healthyEtcdMembers) healthy of \(etcdMembers - 1) members, which is "
                        + "no quorum", remedies: ["bring the others back first, or leave it in etcd: without --etcd"]))
        }
        return refusals
    }
}

extension Cluster {
    /// How many replicas must have what is committed, by the configuration that the members share; 0 when none need.
    var synchronousNodes: Int {
        for node in configuration.members {
            let answer = observed[node.host].ifKnown(sharedConfigurationQuestion(at: node))
            guard let shared = answer?.json(JSONValue.self) else { continue }
            guard shared["synchronous_mode"]?.scalar == "true" else { return 0 }
            return shared["synchronous_node_count"]?.scalar.flatMap { Int($0) } ?? 1
        }
        return configuration.patroni.synchronous.isOn ? configuration.patroni.synchronous.count : 0
    }

    func sharedConfigurationQuestion(at node: Node) -> HTTPResponse {
        api(node).question("/config")
    }
}
