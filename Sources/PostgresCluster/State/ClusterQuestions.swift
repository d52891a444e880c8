import Engine
import Inventory
import SystemResources

/// The questions that tell what there is of a cluster, and the reading of their answers.
struct ClusterQuestions {
    let configuration: ClusterConfiguration

    func questions(of host: Host) -> [any Fact] {
        var questions: [any Fact] = []
        for node in configuration.members where node.name == host.name {
            questions += [
                directory as any Fact, PatroniStatus.own(at: api(node)),
                PatroniStatus.cluster(at: api(node)),
            ]
        }
        if configuration.balancers.contains(where: { $0.name == host.name }) {
            questions.append(configuration.balancing.unit)
        }
        if configuration.balancers.contains(where: { $0.name == host.name }) || configuration.mayHoldAddress(host.name)
        {
            questions += [KeepalivedPriority() as any Fact, KeepalivedAuthentication()]
        }
        if let existingEtcd, configuration.members.contains(where: { $0.name == host.name }) {
            questions.append(existingEtcd)
        }
        for node in configuration.etcd where node.name == host.name {
            questions += [
                initializeKey(at: node) as any Fact, EtcdStatus.members(at: configuration.endpoint(of: node)),
            ]
        }
        return questions
    }

    /// - Returns: `.unknown` until every member was asked.
    func state(given observed: Observations) -> ClusterState {
        var directories: [(member: String, found: PostgresDirectory.Answer)] = []
        for node in configuration.members {
            guard let found = observed[node.host].ifKnown(directory) else { return .unknown }
            directories.append((node.name, found))
        }
        return ClusterState(
            ClusterState.Findings(
                directories: directories, store: store(given: observed), served: served(given: observed),
                leader: members(given: observed).first(where: \.isLeader)?.name,
                standAlone: standAlone(given: observed)?.node.name))
    }

    /// The members by the word of the first one that answers.
    func members(given observed: Observations) -> [PatroniStatus.Member] { told(given: observed)?.members ?? [] }

    /// The same, and what else the cluster says of itself.
    func membership(given observed: Observations) -> Membership {
        told(given: observed).map(Membership.init) ?? Membership()
    }

    private func told(given observed: Observations) -> PatroniStatus.Cluster? {
        for node in configuration.members {
            let answer = observed[node.host].ifKnown(PatroniStatus.cluster(at: api(node)))
            if var cluster = answer?.patroni(PatroniStatus.Cluster.self), !cluster.members.isEmpty {
                let leader = cluster.members.first(where: \.isLeader)?.name
                cluster.members = cluster.members.map { member in
                    var member = member
                    if let lag = lag(of: member.name, behind: leader, given: observed) { member.lag = .bytes(lag) }
                    return member
                }
                return cluster
            }
        }
        return nil
    }

    /// How many bytes a member is behind the leader by what both say of themselves; nil when one does not. What the cluster
    /// says is as old as the member's last turn: under a load every replica would seem to be far behind.
    private func lag(of name: String, behind leader: String?, given observed: Observations) -> Int? {
        func log(of name: String?) -> PatroniStatus.Own.Log? {
            configuration.members.first { $0.name == name }.flatMap { own($0, given: observed)?.log }
        }
        let end = log(of: leader)
        guard name != leader, let end = end?.location ?? end?.followed, let position = log(of: name)?.followed else {
            return nil
        }
        return max(0, end - position)
    }

    /// What is asked of an etcd that there was before; nil without one.
    var existingEtcd: ExistingEtcdView? {
        configuration.existingEtcd.map { ExistingEtcdView(etcd: $0, path: configuration.path) }
    }

    /// What each member of it says, by the word of the members of the cluster that were asked.
    func existingEtcd(given observed: Observations) -> [(member: Node, told: [ExistingEtcdView.Told])] {
        guard let existingEtcd else { return [] }
        return configuration.members.compactMap { node in
            observed[node.host].ifKnown(existingEtcd).map { (node, $0) }
        }
    }

    func store(given observed: Observations) -> ClusterState.Findings.Store? {
        for told in existingEtcd(given: observed).flatMap(\.told) where told.isReadable == true {
            return ClusterState.Findings.Store(systemIdentifier: told.systemIdentifier)
        }
        for node in configuration.etcd {
            let answer = observed[node.host].ifKnown(initializeKey(at: node))
            if let range = answer?.json(EtcdStatus.Range.self) {
                return ClusterState.Findings.Store(systemIdentifier: range.text)
            }
        }
        return nil
    }

    private func served(given observed: Observations) -> Set<String> {
        Set(configuration.members.filter { isServed($0, given: observed) }.map(\.name))
    }

    /// Whether Patroni answers on a member, and belongs to this cluster.
    func isServed(_ node: Node, given observed: Observations) -> Bool {
        own(node, given: observed)?.patroni.scope == configuration.name
    }

    /// What the Patroni of a member says of itself.
    private func own(_ node: Node, given observed: Observations) -> PatroniStatus.Own? {
        observed[node.host].ifKnown(PatroniStatus.own(at: api(node)))?.patroni(PatroniStatus.Own.self)
    }

    /// The members of etcd by the word of the first one that answers.
    func etcdMembers(given observed: Observations) -> [EtcdStatus.Members.Member] {
        for node in configuration.etcd {
            let answer = observed[node.host].ifKnown(EtcdStatus.members(at: configuration.endpoint(of: node)))
            if let told = answer?.json(EtcdStatus.Members.self), !told.members.isEmpty { return told.members }
        }
        return []
    }

    var directory: PostgresDirectory {
        PostgresDirectory(
            configuration.postgres.dataDirectory, binaryDirectory: configuration.postgres.binaryDirectory)
    }

    private func initializeKey(at node: Node) -> HTTPResponse {
        EtcdStatus.value(of: configuration.path + "initialize", at: configuration.endpoint(of: node))
    }

    func api(_ node: Node) -> PatroniAPI { configuration.api(of: node) }
}
