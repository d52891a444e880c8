public import Engine
public import Inventory
import SystemResources

/// What was found of a cluster that is to be removed.
struct RemovalFindings {
    struct Member {
        var name: String
        var directory = PostgresDirectory.Answer.empty
        /// The data directory itself, nil when nothing is there.
        var place: DataPlaces.Place?
        /// What its links lead to, but is not its data.
        var unfit: [DataPlaces.Unfit] = []
        /// The cluster to which its Patroni belongs by its own word, nil when it does not answer.
        var servedScope: String?
        /// The cluster to which it belongs by its configuration.
        var configuredScope: String?
        var use = MemberUse.Answer()
    }

    /// Those of the inventory.
    var members: [Member]
    /// The names of all members by the word of Patroni and of etcd.
    var known: Set<String> = []
    /// The system identifier in etcd, or nil when it has none or does not answer.
    var storedSystem: String?
    var etcd: EtcdRemains
}

/// What was found of etcd.
struct EtcdRemains {
    struct Node {
        var name: String
        var answers = false
        /// The keys of this cluster.
        var own: [String] = []
        /// Some of the keys that are not of this cluster.
        var others: [String] = []
        /// Whether it can write: it has a quorum.
        var isHealthy = false
        /// Whether it is started at boot. It is not any more once its removal has begun.
        var isEnabled = false
        var hasData = false
    }

    enum Fate: Hashable {
        case removed
        /// Nobody wants it removed, or nobody can.
        case kept
        /// It cannot be removed, for this reason.
        case needed(String)
    }

    var nodes: [Node]

    var answering: [Node] { nodes.filter(\.answers) }
    var own: [String] { answering.first?.own ?? [] }
    var isHealthy: Bool { nodes.contains(where: \.isHealthy) }

    /// Whether it is there, but does not say what is in it.
    var isMute: Bool { answering.isEmpty && nodes.contains { $0.hasData && $0.isEnabled } }

    /// What becomes of it. Of a member that was stopped for its removal nothing can be learnt any more, so then it is
    /// decided already: those are no longer started at boot, and nobody is stopped before all are like that.
    func fate(removing removal: ClusterConfiguration.Removal) -> Fate {
        guard removal.etcd else { return .kept }
        if answering.isEmpty { return nodes.contains(where: \.isEnabled) ? .kept : .removed }
        if let other = answering.lazy.flatMap(\.others).first {
            return .needed("it has other keys too, such as \(other)")
        }
        if !removal.postgres, !own.isEmpty { return .needed("the cluster itself needs it") }
        return .removed
    }
}

extension RemovalFindings {
    init(of configuration: ClusterConfiguration, given observed: Observations) {
        let questions = ClusterQuestions(configuration: configuration)
        let etcd = EtcdRemains(
            nodes: configuration.etcd.map { node in
                EtcdRemains.Node(of: node, in: configuration, given: observed[node.host])
            } + questions.existingEtcd(given: observed).flatMap(\.told).map(EtcdRemains.Node.init))
        let prefix = configuration.path + "members/"
        let stored = etcd.own.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        self.init(
            members: configuration.members.map { node in
                let facts = observed[node.host]
                let places = facts.ifKnown(DataPlaces(path: configuration.postgres.dataDirectory))
                return Member(
                    name: node.name, directory: facts.ifKnown(questions.directory) ?? .empty,
                    place: places?.places.last { $0.path == configuration.postgres.dataDirectory },
                    unfit: places?.unfit ?? [],
                    servedScope: facts.ifKnown(PatroniStatus.own(at: questions.api(node)))?
                        .patroni(PatroniStatus.Own.self)?.patroni.scope,
                    configuredScope: facts.ifKnown(ConfiguredScope()) ?? nil,
                    use: facts.ifKnown(MemberUse(of: configuration)) ?? .init())
            },
            known: Set(questions.members(given: observed).map(\.name) + stored),
            storedSystem: questions.store(given: observed)?.systemIdentifier, etcd: etcd)
    }

    /// What tells the cluster from a namesake; nil when nothing is left that does.
    var identity: String? {
        storedSystem
            ?? members.lazy.compactMap { member in
                if case .initialised(let system) = member.directory { system } else { nil }
            }.first
    }
}

extension EtcdRemains.Node {
    /// Of an etcd that there was before, and that stays.
    init(_ told: ExistingEtcdView.Told) {
        self.init(
            name: told.endpoint, answers: told.isReadable == true, own: told.keys, isHealthy: told.isHealthy,
            isEnabled: true, hasData: true)
    }

    init(of node: Node, in configuration: ClusterConfiguration, given facts: Facts) {
        func names(_ question: HTTPResponse) -> [String]? {
            facts.ifKnown(question)?.json(EtcdStatus.Keys.self)?.names
        }
        let endpoint = configuration.endpoint(of: node)
        let own = names(EtcdStatus.keys(under: configuration.path, at: endpoint))
        let unit = facts.ifKnown(UnitStatus("etcd.service"))
        self.init(
            name: node.name, answers: own != nil, own: own ?? [],
            others: EtcdStatus.otherKeys(than: configuration.path, at: endpoint).flatMap { names($0) ?? [] },
            isHealthy: facts.ifKnown(EtcdStatus.health(at: endpoint))?.json(EtcdStatus.Health.self)?.health
                == "true",
            isEnabled: unit?.unitFile == "enabled",
            hasData: facts.ifKnown(DataPlaces(path: configuration.etcdDirectory, user: "etcd"))?.places.isEmpty == false
        )
    }
}

extension ClusterConfiguration {
    /// What its removal asks of a host beyond what is asked of every cluster.
    public func removalQuestions(of host: Host) -> [any Fact] {
        var questions: [any Fact] = []
        if members.contains(where: { $0.name == host.name }) {
            questions += [
                ConfiguredScope() as any Fact, MemberUse(of: self), DataPlaces(path: postgres.dataDirectory),
            ]
        }
        for node in etcd where node.name == host.name {
            let endpoint = endpoint(of: node)
            questions += [
                EtcdStatus.keys(under: path, at: endpoint) as any Fact, EtcdStatus.health(at: endpoint),
                UnitStatus("etcd.service"), DataPlaces(path: etcdDirectory, user: "etcd"),
            ]
            questions += EtcdStatus.otherKeys(than: path, at: endpoint)
        }
        if mayHoldAddress(host.name) { questions.append(HostAddresses()) }
        if let backups {
            questions.append(FileStatus(PgBackRestConfiguration.path))
            let speaker = backups.host ?? members[0]
            if speaker.name == host.name, let folders = StanzaFolders(of: self) { questions.append(folders) }
        }
        return questions
    }
}
