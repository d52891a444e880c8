import Engine
import Inventory
import Secrets
import SystemResources

/// What interrupts writing for a moment: another member takes over the lead, or the leader's PostgreSQL is restarted.
public struct Handover: Sendable {
    /// Who leads.
    let from: Node
    /// Who shall lead; nil when the leader stays, and is restarted.
    let to: Node?

    /// Who leads afterwards.
    var leader: Node { to ?? from }

    /// For how long clients wait at most, in seconds. Each host ends the waiting by itself, so that a run that died keeps nobody
    /// out for longer.
    static let patience = 30
    /// How many of these seconds open transactions have to end.
    static let graceOfTransactions = 10
    /// For how long clients that keep their connection go on through the pooler of the old leader, in seconds.
    static let linger = 300
}

extension Cluster {
    /// - Parameter name: who shall lead.
    /// - Returns: nil when nobody leads, or that member does.
    public func handover(to name: String) -> Handover? {
        guard let leading = membership.leader, leading.name != name, leader.name == leading.name else { return nil }
        return configuration.members.first { $0.name == name }.map { Handover(from: leader, to: $0) }
    }

    /// Makes the handover while clients wait, and lose no statement.
    ///
    /// The balancers keep to the old leader whatever its checks say, and its pooler is paused: who comes, and who is connected,
    /// waits there. When another member leads, the pooler passes its clients on to that one. The balancers lead new clients to
    /// it directly, and leave the others as they are until they end.
    ///
    /// - Parameters:
    ///   - handover: nil when there is none to make; what a run that died has left is undone all the same.
    ///   - afterRestarts: whether the replicas may just have been restarted.
    ///   - action: what makes it, on the host of the leader.
    func plays(
        for handover: Handover?, afterRestarts: Bool = false, tags: Set<String> = [],
        @ResourceBuilder action: @escaping @Sendable (Handover) -> [any Resource]
    ) -> [Play] {
        let balancers = configuration.balancers.map(\.host)
        let members = configuration.members.map(\.host)
        let leading = handover.map { [$0.from.host] } ?? []
        return [
            Play("Write what a restart would have to write", on: leading, tags: tags) { _ in
                if let handover { FreshCheckpoint(catalog: catalog, isDone: isDone(handover)) }
            },
            Play("Keep clients where they are", on: balancers, tags: tags) { _ in
                if let handover { steadyBalancer(for: handover) }
            },
            Play("Hand over the lead", on: leading, tags: tags) { _ in
                if let handover {
                    if afterRestarts { synchronousSuccessor(of: handover, isCertain: false) }
                    pausedPooler(for: handover)
                    action(handover)
                    ResumedPooler(
                        pause: poolerPause, willBePausedUntil: isDone(handover), isPassedOn: handover.to != nil)
                    if handover.to != nil { restoredNodeCount(after: handover) }
                }
            },
            Play("Lead clients to the leader", on: balancers, tags: tags) { _ in passedClients(after: handover) },
            Play("Follow the leader", on: members, tags: tags) {
                follows(on: $0, after: handover)
                ResumedPooler(pause: poolerPause, willBePausedUntil: nil, isPassedOn: false)
            },
            Play(
                "Let as many have everything as before", on: membership.leader == nil ? [] : [leader.host], tags: tags
            ) { _ in restoredNodeCount(after: nil) },
        ]
    }

    private func passage(_ handover: Handover?) -> Passage {
        Passage(
            listener: HAProxyView.leaderListener,
            view: HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics),
            members: peers.map(\.name), from: (handover?.from ?? leader).name, to: (handover?.leader ?? leader).name,
            api: api(handover?.leader ?? leader))
    }

    /// - Parameter patience: for how long the balancer keeps to the leader if the run dies, in seconds.
    @ResourceBuilder
    func steadyBalancer(for handover: Handover, patience: Int = Handover.patience) -> [any Resource] {
        let passage = passage(handover)
        SteadyBalancer(passage: passage, patience: patience) { facts in
            guard handover.to != nil, let answer = facts.ifKnown(passage.view) else { return false }
            return passage.status(of: passage.to, in: answer) == "UP"
        }
    }

    /// Whether a balancer keeps to the leader, as far as it was asked.
    func isSteady(_ balancer: Host) -> Bool {
        let passage = passage(nil)
        return observed[balancer].ifKnown(passage.view).map(passage.isSteady) ?? false
    }

    @ResourceBuilder
    func passedClients(after handover: Handover?) -> [any Resource] {
        if state != .unknown, membership.leader != nil {
            PassedClients(passage: passage(handover), willBeSteady: handover.map { $0.to == nil } ?? false)
        }
    }

    @ResourceBuilder
    private func pausedPooler(for handover: Handover) -> [any Resource] {
        PausedPooler(
            pause: poolerPause, isDone: isDone(handover),
            successor: handover.to.map { .init(address: $0.address, port: configuration.postgres.port, api: api($0)) })
    }

    var poolerPause: PoolerPause { PoolerPause(server: catalog, port: configuration.pooler.port) }

    /// What shows on the host of the old leader that a handover was made.
    func isDone(_ handover: Handover) -> HandoverSign {
        handover.to.map { .leads($0.name, view: PatroniStatus.cluster(at: api(handover.from))) }
            ?? .runsAsDeclared(parametersInForce(on: handover.from))
    }

    /// Holds when every member that is up leads, or streams from who leads.
    @ResourceBuilder
    private func follows(on host: Host, after handover: Handover?) -> [any Resource] {
        let leader = handover?.leader ?? leader
        if let node = member(host), isServed(node) {
            Foreseen(
                condition: isStandby
                    ? condition("\(node.name) streams", on: node, test: streams)
                    : node.name == leader.name
                        ? condition("\(node.name) leads", on: node, test: isPrimary(node))
                        : condition(
                            "\(node.name) streams from \(leader.name)", on: node, test: streams(node, under: leader)),
                willBreak: handover.map { $0.to == nil } ?? false)
        }
    }

    private func isPrimary(_ node: Node) -> ShellText {
        api(node).get("/primary", "--output /dev/null --fail --max-time 2")
    }

    private var streams: ShellText {
        succeeds("SELECT 'yes' FROM pg_stat_wal_receiver WHERE status = 'streaming';")
    }

    /// One that streams from another member does so from the leader as long as that other one does not run.
    private func streams(_ node: Node, under leader: Node) -> ShellText {
        let upstream = configuration.upstream(of: node.name)
        let sources = [leader] + configuration.members.filter { $0.name == upstream }
        let addresses = sources.map(\.address)
        return succeeds(
            "SELECT 'yes' FROM pg_stat_wal_receiver WHERE status = 'streaming' AND sender_host IN (\(literals: addresses));"
        )
    }

    private func succeeds(_ query: SQLText) -> ShellText {
        "{ \(catalog.script(running: query))} | grep -q yes"
    }

    private func condition(_ sentence: String, on node: Node, test: ShellText) -> Condition {
        let sign = CommandSuccess(test)
        return Condition(sentence, signs: [sign], test: test, unit: "patroni.service", timeout: 120) { facts in
            try facts[sign]
        }
    }

    func isServed(_ node: Node) -> Bool {
        ClusterQuestions(configuration: configuration).isServed(node, given: observed)
    }

    func api(_ node: Node) -> PatroniAPI { configuration.api(of: node) }
}
