import Engine
import SystemResources

extension Cluster {
    /// Lets a host become a member only of a cluster that is well, and only when it fits.
    ///
    /// - Parameters:
    ///   - name: of the host, which may be a member already.
    ///   - joinsEtcd: whether it also becomes a member of etcd.
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnlessReady(for name: String, joinsEtcd: Bool) throws {
        try refuseUnlessNewOrRunning()
        try refuseUnlessThere()
        guard state != .unknown, let node = configuration.members.first(where: { $0.name == name }) else { return }
        let obstacles =
            membership.troubles(without: name) + silentReplicas(without: name)
            + (joinsEtcd ? sickEtcd(without: name) : [])
            + obstacles(to: node)
        try refuse("\(name) cannot become a member of the cluster '\(configuration.name)' now", obstacles)
    }

    /// Lets deploy-cluster make members of those that the inventory gained only when they fit.
    ///
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnlessNewcomersFit() throws {
        guard membership.leader != nil else { return }
        let names = newcomers.map(\.name).joined(separator: ", ")
        try refuse(
            "\(names) cannot join the cluster '\(configuration.name)' now", newcomers.flatMap(obstacles))
    }

    /// Lets a host become a balancer only of a cluster that serves, and only when it is free for that.
    ///
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnlessReady(forBalancer name: String) throws {
        try refuseUnlessNewOrRunning()
        try refuseUnlessThere()
        guard state != .unknown, let node = configuration.balancers.first(where: { $0.name == name }) else { return }
        var obstacles: [String] = []
        if membership.leader == nil {
            obstacles.append("no member leads the cluster: there is nothing to lead clients to")
        }
        if let address = configuration.balancing.address {
            let holders = holders(of: address).map(\.name)
            if holders.count > 1 {
                obstacles.append(
                    "\(holders.joined(separator: " and ")) all hold \(address): let VRRP, IP protocol 112, pass between them"
                )
            }
        }
        obstacles += BalancerQuestions(configuration: configuration).obstacles(on: node, given: observed[node.host])
        try refuse("\(name) cannot become a balancer of the cluster '\(configuration.name)' now", obstacles)
    }

    private func refuseUnlessThere() throws {
        guard state == .new else { return }
        throw Refusal(
            "there is no cluster '\(configuration.name)' yet to which anything could be added",
            remedies: ["make it with `drover apply deploy-cluster`, which includes every host of the inventory"])
    }

    private func refuse(_ reason: String, _ obstacles: [String]) throws {
        if !obstacles.isEmpty { throw Refusal(reason, remedies: obstacles) }
    }

    /// What stands in the way of a host without a database. Once its Patroni is at work the clone is on its way.
    private func obstacles(to node: Node) -> [String] {
        let questions = ClusterQuestions(configuration: configuration)
        let growth = GrowthQuestions(configuration: configuration)
        guard newcomers.contains(where: { $0.name == node.name }), !questions.isServed(node, given: observed),
            let capacity = observed[leader.host].ifKnown(growth.capacity),
            let leaderHost = observed[leader.host].ifKnown(growth.leaderFitness),
            let host = observed[node.host].ifKnown(growth.fitness),
            let locales = observed[node.host].ifKnown(GeneratedLocales())
        else { return [] }
        return Admission(
            name: node.name, address: node.address, membership: membership, leader: capacity, leaderHost: leaderHost,
            host: host, locales: locales
        ).obstacles
    }

    private func silentReplicas(without name: String) -> [String] {
        guard let leading = membership.leader,
            let capacity = observed[leader.host].ifKnown(GrowthQuestions(configuration: configuration).capacity)
        else { return [] }
        return membership.members.filter { member in
            member.isRunning && ![name, leading.name].contains(member.name) && !capacity.streaming.contains(member.name)
                && configuration.streams(member.name, fromLeader: leading.name)
        }.map { "the member \($0.name) runs, but does not stream from the leader" }
    }

    private func sickEtcd(without name: String) -> [String] {
        let members = ClusterQuestions(configuration: configuration).etcdMembers(given: observed)
        func isKnown(_ node: Node, where isMeant: (EtcdStatus.Members.Member) -> Bool = { _ in true }) -> Bool {
            let url = configuration.endpoint(of: node).peerURL
            return members.contains { $0.peerURLs.contains(url) && isMeant($0) }
        }
        let others = configuration.etcd.filter { $0.name != name }
        let joining = others.filter { isKnown($0) { $0.isLearner == true } }
            .map { "\($0.name) is still joining etcd, which takes one at a time: finish that first" }
        let sick = others.filter { node in
            isKnown(node)
                && observed[node.host].ifKnown(EtcdStatus.health(at: configuration.endpoint(of: node)))?
                    .json(EtcdStatus.Health.self)?.health != "true"
        }.map { "etcd on \($0.name) is not healthy" }
        return joining + sick
    }
}
