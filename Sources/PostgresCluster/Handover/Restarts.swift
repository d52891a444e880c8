public import ArgumentParser
public import Engine
import Inventory
import SystemResources

/// What becomes of parameters that PostgreSQL reads only when it starts.
public enum RestartMode: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// They wait for a restart.
    case never
    /// The members are restarted one by one, the leader last unless it must be first.
    case rolling
}

extension Cluster {
    /// The restarts that changed parameters want.
    public func restarts(_ mode: RestartMode) -> [Play] {
        let members = configuration.members
        guard mode == .rolling else {
            return [
                Play("Tell what waits for a restart", on: members.map(\.host), tags: ["restart"]) { host in
                    if let node = member(host) {
                        AwaitsRestart(member: node.name, own: PatroniStatus.own(at: api(node)))
                    }
                }
            ]
        }
        let followers = state == .unknown || membership.leader == nil ? [] : replicas.map(\.host)
        return [
            Play("Look which parameters want a restart", on: members.map(\.host), tags: ["restart"]) { host in
                if let node = member(host) {
                    NoticedParameters(
                        member: Peer(node), parameters: parametersInForce(on: node), api: api(node),
                        waking: waking(node),
                        timeout: 30 + 2 * configuration.patroni.loopWait)
                }
            },
            Play("Restart the replicas", on: followers, .rolling, tags: ["restart"]) { restarted(on: $0, .atOnce) },
        ]
            + plays(for: restartOfLeader, afterRestarts: true, tags: ["restart"]) { handover in
                if handover.to == nil {
                    restarted(handover.from, .all)
                } else {
                    switchover(handover)
                }
            } + [
                Play("Restart the replicas that waited for the leader", on: followers, .rolling, tags: ["restart"]) {
                    restarted(on: $0, .afterLeader)
                }
            ]
    }

    /// What the leader's restart takes: it hands over to a replica, and is restarted by that. It stays when a limit becomes
    /// smaller, which the leader must take first, and when there is nobody who could lead, or nobody may write anyway.
    private var restartOfLeader: Handover? {
        guard membership.leader?.name == leader.name else { return nil }
        let parameters = parametersInForce(on: leader)
        let facts = observed[leader.host]
        guard facts.ifKnown(parameters.running) != nil, (try? parameters.needRestart(given: facts)) == true else {
            return nil
        }
        let isLowered = (try? parameters.lowered(given: facts).isEmpty) == false
        return Handover(from: leader, to: isLowered || isStandby ? nil : bestReplica)
    }

    /// The replica that is the best to take over.
    private var bestReplica: Node? {
        let isSynchronous = membership.members.contains { $0.role == "sync_standby" }
        let fit = membership.members.filter { member in
            member.isRunning && !member.isLeader && !member.tags.contains("nofailover")
                && member.timeline == membership.leader?.timeline
                && member.lag.map { $0 <= configuration.patroni.maximumLagOnFailover } ?? false
                && (!isSynchronous || member.role == "sync_standby")
        }
        let best = fit.min { ($0.lag ?? .max, $0.name) < ($1.lag ?? .max, $1.name) }
        return best.flatMap { best in configuration.members.first { $0.name == best.name } }
    }

    @ResourceBuilder
    private func restarted(on host: Host, _ share: Restarted.Share) -> [any Resource] {
        if let node = member(host), isServed(node) { restarted(node, share) }
    }

    @ResourceBuilder
    private func restarted(_ node: Node, _ share: Restarted.Share) -> [any Resource] {
        Restarted(
            member: Peer(node), parameters: parametersInForce(on: node), share: share,
            api: api(node), catalog: catalog,
            dataDirectory: configuration.postgres.dataDirectory,
            binaryDirectory: configuration.postgres.binaryDirectory)
    }

    func parametersInForce(on node: Node) -> ParametersInForce {
        ParametersInForce(
            declared: configuration.postgres.parameters + archiveParameters, server: catalog,
            own: PatroniStatus.own(at: api(node)))
    }
}
