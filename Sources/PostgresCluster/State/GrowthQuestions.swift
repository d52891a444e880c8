public import Engine
public import Inventory
import SystemResources

/// What is asked before a host becomes a member.
struct GrowthQuestions {
    let configuration: ClusterConfiguration

    /// What the leader has to offer.
    var capacity: LeaderCapacity { LeaderCapacity(server: PostgresCatalog(of: configuration, databases: [])) }

    var fitness: HostFitness {
        HostFitness(directory: configuration.postgres.dataDirectory, package: configuration.postgres.package)
    }

    var leaderFitness: HostFitness { HostFitness(directory: configuration.postgres.dataDirectory, package: nil) }

    /// Of a member that may lead.
    var ofLeader: [any Fact] { [capacity, leaderFitness] }
    /// Of a host that is to be a member.
    var ofNewcomer: [any Fact] { [fitness, GeneratedLocales()] }
}

/// Has questions asked without wanting anything.
struct Examination: Resource {
    let name: String
    var questions: [any Fact] = []
    /// What people should know of it.
    var remarks: [String] = []

    func changes(given facts: Facts, after pending: PendingEffects) -> [Change] { [] }

    /// What was found was judged when the plan was made, and is judged again when it is carried out.
    func essence(given facts: Facts) -> String { "" }

    func notices(given facts: Facts) -> [String] { remarks }
}

extension ClusterModel {
    /// Everything that decides whether a host may become a member: asked of all members, since any may lead.
    public func questions(of host: Host, adding node: String) -> [any Fact] {
        let growth = GrowthQuestions(configuration: configuration)
        var more: [any Fact] = []
        if host.name == node {
            more = growth.ofNewcomer
        } else if configuration.members.contains(where: { $0.name == host.name }) {
            more = growth.ofLeader
        }
        if let node = configuration.etcd.first(where: { $0.name == host.name }) {
            more.append(EtcdStatus.health(at: configuration.endpoint(of: node)))
        }
        return questions(of: host) + more
    }
}

extension Cluster {
    /// Looks at the leader and at those that the inventory gained, so that it can be judged whether they fit.
    public func examination() -> Play {
        let growth = GrowthQuestions(configuration: configuration)
        let isRunning = membership.leader != nil
        let newcomers = isRunning ? newcomers : []
        let leader = leader
        return Play(
            "Look at what there is for new members",
            on: newcomers.isEmpty ? [] : ([leader] + newcomers).map(\.host), tags: ["patroni"]
        ) { host in
            Examination(
                name: "room for new members", questions: host.name == leader.name ? growth.ofLeader : growth.ofNewcomer)
        }
    }
}
