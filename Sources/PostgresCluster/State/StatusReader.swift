import Drover
import Inventory
import SystemResources

/// Makes a cluster's status of what its hosts answered.
struct StatusReader: Sendable {
    let configuration: ClusterConfiguration

    func questions(of host: Host) -> [any Fact] {
        var questions: [any Fact] = []
        for node in configuration.etcd where node.name == host.name {
            questions.append(EtcdStatus.health(at: node.address))
        }
        if configuration.members.contains(where: { $0.name == host.name }) { questions.append(catalog) }
        if configuration.balancers.contains(where: { $0.name == host.name }) {
            questions += [view, HostAddresses()]
        }
        return questions + BackupQuestions(configuration: configuration).questions(of: host)
    }

    /// - Parameters:
    ///   - members: the members by the word of the cluster.
    ///   - unreachable: the hosts that did not answer, each with the reason.
    func status(
        given observed: Observations, members: [PatroniStatus.Member], unreachable: [String]
    ) -> ClusterStatus {
        let status = ClusterStatus(
            cluster: configuration.name, members: self.members(members, given: observed),
            etcd: configuration.etcd.map { node in
                let health = observed[node.host].ifKnown(EtcdStatus.health(at: node.address))
                return .init(name: node.name, isHealthy: health?.json(EtcdStatus.Health.self)?.health == "true")
            },
            address: configuration.balancing.address,
            balancers: configuration.balancers.map { balancer($0, given: observed[$0.host]) }, findings: [])
        let waiting = members.filter { $0.pendingRestart == true }.map {
            "\($0.name) has changed parameters that wait for a restart"
        }
        var result = status.adding(unreachable + findings(of: status) + waiting)
        result.backups = backups(of: members.first(where: \.isLeader)?.name, given: observed)
        return result.adding(result.backups?.findings ?? [])
    }

    private func backups(of leader: String?, given observed: Observations) -> BackupStatus? {
        guard configuration.backups != nil else { return nil }
        let questions = BackupQuestions(configuration: configuration)
        let archivers = questions.sightings(given: observed).archivers
        return BackupStatus(leader: leader.map { ($0, archivers[$0]) }, told: questions.told(given: observed))
    }

    private var view: HTTPResponse {
        HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics)
    }

    private var catalog: PostgresCatalog { PostgresCatalog(of: configuration, databases: []) }

    /// Those of the inventory in its order, then those that only the cluster knows.
    private func members(
        _ told: [PatroniStatus.Member], given observed: Observations
    ) -> [ClusterStatus.Member] {
        let names = configuration.members.map(\.name)
        let others = told.map(\.name).filter { !names.contains($0) }
        return (names + others).map { name in
            guard let member = told.first(where: { $0.name == name }) else {
                return .init(name: name, role: nil, state: "unknown", timeline: nil, lag: nil)
            }
            var lag: Int?
            if case .bytes(let bytes) = member.lag { lag = bytes }
            let node = configuration.members.first { $0.name == name }
            let isStreaming = node.flatMap { observed[$0.host].ifKnown(catalog)?.isStreaming } ?? false
            // Patroni 3.0 says that a replica runs, not whether it receives anything.
            let state = isStreaming && member.state == "running" ? "streaming" : member.state
            return .init(name: name, role: member.role, state: state, timeline: member.timeline, lag: lag)
        }
    }

    private func balancer(_ node: Node, given facts: Facts) -> ClusterStatus.Balancer {
        let answer = facts.ifKnown(view)
        let seen = answer.map(HAProxyView.init)
        let addresses = facts.ifKnown(HostAddresses()) ?? []
        return .init(
            name: node.name, isServing: answer?.status == 200,
            leader: seen?.servers(of: HAProxyView.leaderListener, in: "UP") ?? [],
            replicas: seen?.servers(of: HAProxyView.replicasListener, in: "UP") ?? [],
            holdsAddress: configuration.balancing.address.map(addresses.contains) ?? false)
    }

    private func findings(of status: ClusterStatus) -> [String] {
        var findings: [String] = []
        let leaders = status.members.filter { ["leader", "standby_leader"].contains($0.role) }
        if leaders.count != 1 { findings.append("\(leaders.count) members lead the cluster, not one") }
        for member in status.members {
            let leads = leaders.contains { $0.name == member.name }
            if member.state == "running", !leads {
                findings.append("\(member.name) runs, but does not stream")
            } else if !["running", "streaming"].contains(member.state) {
                findings.append("\(member.name) is \(member.state)")
            }
            if let timeline = member.timeline, let leading = leaders.first?.timeline, timeline != leading {
                findings.append("\(member.name) is on timeline \(timeline), the leader on \(leading)")
            }
        }
        for member in status.etcd where !member.isHealthy { findings.append("etcd on \(member.name) is not healthy") }
        for balancer in status.balancers {
            if !balancer.isServing {
                findings.append("HAProxy on \(balancer.name) does not answer")
            } else if balancer.leader != leaders.map(\.name) {
                findings.append("HAProxy on \(balancer.name) does not lead to the leader")
            }
        }
        if let address = status.address {
            let holders = status.balancers.filter(\.holdsAddress).count
            if holders != 1 { findings.append("\(holders) balancers hold \(address), not one") }
        }
        return findings
    }
}

extension ClusterStatus {
    fileprivate func adding(_ findings: [String]) -> ClusterStatus {
        ClusterStatus(
            cluster: cluster, members: members, etcd: etcd, address: address, balancers: balancers,
            findings: self.findings + findings, backups: backups)
    }
}
