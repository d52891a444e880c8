import Engine
import FoundationEssentials
import Inventory
import SystemResources

/// Makes a cluster's status of what its hosts answered.
struct StatusReader: Sendable {
    let configuration: ClusterConfiguration
    /// Seconds since 1970.
    var now = Int(Date().timeIntervalSince1970)

    func questions(of host: Host) -> [any Fact] {
        var questions: [any Fact] = [ClockReading()]
        for node in configuration.etcd where node.name == host.name {
            let endpoint = configuration.endpoint(of: node)
            questions += [EtcdStatus.health(at: endpoint) as any Fact, EtcdMetrics(endpoint: endpoint)]
        }
        for node in configuration.members where node.name == host.name {
            questions += [
                sharedConfiguration(at: node),
                catalog as any Fact, MemberHealth(of: configuration), StatusReader.fitness(of: configuration),
            ]
            questions += FencingFindings.questions + [timelines]
        }
        if configuration.balancers.contains(where: { $0.name == host.name }) {
            questions.append(view)
        }
        if configuration.mayHoldAddress(host.name) { questions.append(HostAddresses()) }
        return questions + configuration.encryptionQuestions(of: host)
            + BackupQuestions(configuration: configuration).questions(of: host)
    }

    /// - Parameters:
    ///   - members: the members by the word of the cluster.
    ///   - unreachable: the hosts that did not answer, each with the reason.
    func status(
        given observed: Observations, members: [PatroniStatus.Member], unreachable: [String]
    ) -> ClusterStatus {
        var status = ClusterStatus(
            cluster: configuration.name, members: self.members(members, given: observed),
            etcd: configuration.etcd.map { node in
                let health = observed[node.host].ifKnown(EtcdStatus.health(at: configuration.endpoint(of: node)))
                return .init(name: node.name, isHealthy: health?.json(EtcdStatus.Health.self)?.health == "true")
            } + existingEtcd(given: observed),
            address: configuration.balancing.address,
            balancers: configuration.balancers.map { balancer($0, given: observed[$0.host]) }, findings: [],
            backups: backups(of: members.first(where: \.isLeader)?.name, given: observed),
            follows: follows(given: observed),
            holders: holders(given: observed), addressFollowsLeader: configuration.addressFollowsLeader,
            time: now)
        let silent = unreachable.map {
            Finding(.hostUnreachable, .critical, $0, "bring the host back, or the way to it")
        }
        let cluster = ClusterFindings(
            status: status, told: members,
            isPaused: ClusterQuestions(configuration: configuration).membership(given: observed).isPaused,
            configuration: configuration)
        let health = MemberFindings(
            members: configuration.members.compactMap { node in
                observed[node.host].ifKnown(MemberHealth(of: configuration)).map { (node.name, $0) }
            }, isSynchronous: configuration.patroni.synchronous.isOn)
        let hosts = HostFindings(configuration: configuration, observed: observed, now: now)
        let fencing = FencingFindings(configuration: configuration, observed: observed)
        let findings =
            silent + cluster.all + fencing.all + abandonedTimelines(members, given: observed) + health.all + hosts.all
            + (status.backups?.findings ?? [])
        // What is worst is read first; the order among equals stays.
        status.findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
        return status
    }

    private var timelines: TimelineFiles { TimelineFiles(path: configuration.postgres.dataDirectory) }

    private func abandonedTimelines(
        _ members: [PatroniStatus.Member], given observed: Observations
    ) -> [Finding] {
        guard let current = members.first(where: \.isLeader)?.timeline else { return [] }
        let archive = BackupQuestions(configuration: configuration).told(given: observed)?.stanza?.archive
        return TimelineFindings(
            current: current, inUse: Set(members.compactMap(\.timeline)),
            traces: configuration.members.map { ($0.name, observed[$0.host].ifKnown(timelines) ?? []) },
            archived: archive?.compactMap { $0.max.flatMap { LogSegment($0)?.timeline } }.last,
            now: now
        ).all
    }

    /// How full the disk of the database is.
    static func fitness(of configuration: ClusterConfiguration) -> HostFitness {
        HostFitness(directory: configuration.postgres.dataDirectory, package: nil)
    }

    private func backups(of leader: String?, given observed: Observations) -> BackupStatus? {
        guard configuration.hasBackups else { return nil }
        let questions = BackupQuestions(configuration: configuration)
        let archivers = questions.sightings(given: observed).archivers
        return BackupStatus(
            leader: leader.map { ($0, archivers[$0]) }, told: questions.told(given: observed),
            timers: configuration.walg == nil ? BackupScript.timer : ClusterConfiguration.WALG.timer)
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
        let members = (names + others).map { member($0, told, given: observed) }
        return members.map { member in
            var member = member
            member.source = source(of: member, among: members)
            return member
        }
    }

    private func member(
        _ name: String, _ told: [PatroniStatus.Member], given observed: Observations
    ) -> ClusterStatus.Member {
        let node = configuration.members.first { $0.name == name }
        let health = node.flatMap { observed[$0.host].ifKnown(MemberHealth(of: configuration)) }
        let connections = health.flatMap { health -> ClusterStatus.Connections? in
            guard health.isRunning else { return nil }
            return .init(
                count: health.connections, limit: health.settings["max_connections"].flatMap { Int(quantity: $0) })
        }
        let pooler = health.map {
            ClusterStatus.Pooler(
                isAnswering: $0.hasPooler, waitingClients: $0.waiting.clients, longestWait: $0.waiting.seconds)
        }
        guard let member = told.first(where: { $0.name == name }) else {
            return .init(
                name: name, role: nil, state: "unknown", timeline: nil, lag: nil, connections: connections,
                pooler: pooler)
        }
        var lag: Int?
        if case .bytes(let bytes) = member.lag { lag = bytes }
        let isStreaming = node.flatMap { observed[$0.host].ifKnown(catalog)?.isStreaming } ?? false
        // Patroni 3.0 says that a replica runs, not whether it receives anything.
        let state = isStreaming && member.state == "running" ? "streaming" : member.state
        return .init(
            name: name, role: member.role, state: state, timeline: member.timeline, lag: lag, connections: connections,
            pooler: pooler)
    }

    /// A cascading replica streams from the member that the inventory names, as long as that streams itself.
    private func source(of member: ClusterStatus.Member, among members: [ClusterStatus.Member]) -> String? {
        guard member.state == "streaming", !member.isLeader else { return nil }
        let leaders = members.filter(\.isLeader)
        if let upstream = configuration.upstream(of: member.name), upstream != member.name,
            members.contains(where: { $0.name == upstream && ($0.state == "streaming" || $0.isLeader) })
        {
            return upstream
        }
        return leaders.count == 1 ? leaders[0].name : nil
    }

    private func sharedConfiguration(at node: Node) -> HTTPResponse {
        configuration.api(of: node).question("/config")
    }

    private func follows(given observed: Observations) -> String? {
        configuration.members.lazy.compactMap { node in
            observed[node.host].ifKnown(sharedConfiguration(at: node))?.json(JSONValue.self)
        }.first?.standbyCluster
    }

    /// One that there was before is well where any member of the cluster finds it so.
    private func existingEtcd(given observed: Observations) -> [ClusterStatus.Etcd] {
        let told = ClusterQuestions(configuration: configuration).existingEtcd(given: observed).flatMap(\.told)
        return (configuration.existingEtcd?.endpoints ?? []).map { endpoint in
            .init(
                name: endpoint.words,
                isHealthy: told.contains { $0.endpoint == endpoint.words && $0.isHealthy && $0.isReadable == true })
        }
    }

    private func holders(given observed: Observations) -> [String] {
        guard let address = configuration.balancing.address else { return [] }
        return configuration.addressHolders.map(\.host).filter {
            observed[$0].ifKnown(HostAddresses())?.contains(address) ?? false
        }.map(\.name)
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
}
