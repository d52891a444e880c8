public import Engine
import Inventory
import SystemResources

extension Cluster {
    /// Lets another member lead.
    ///
    /// - Parameter name: who shall lead.
    public func switchover(to name: String) -> [Play] {
        let handover = handover(to: name)
        return [
            Play("Let it have everything", on: handover.map { [$0.from.host] } ?? []) { _ in
                if let handover { synchronousSuccessor(of: handover, isCertain: true) }
            }
        ] + plays(for: handover) { switchover($0) }
    }

    @ResourceBuilder
    func switchover(_ handover: Handover) -> [any Resource] {
        if let to = handover.to {
            Switchover(
                from: Peer(handover.from), to: Peer(to), api: (api(handover.from), api(to)), pause: poolerPause,
                isDone: isDone(handover), timeout: max(30, 2 * configuration.patroni.loopWait + 10))
        }
    }

    /// Patroni lets only a synchronous replica take over, and keeps to the one that it has chosen: the others become
    /// synchronous when there are to be as many as there are replicas.
    ///
    /// - Parameter isCertain: whether what was observed of that still holds.
    @ResourceBuilder
    func synchronousSuccessor(of handover: Handover, isCertain: Bool) -> [any Resource] {
        if let to = handover.to, synchronousNodes > 0 {
            let view = PatroniStatus.cluster(at: api(handover.from))
            SynchronousSuccessor(
                name: "synchronous \(to.name)", successor: to.name, view: view,
                replicas: directReplicas(of: handover.from),
                api: api(handover.from), isDone: isDone(handover), isCertain: isCertain,
                timeout: isCertain ? 60 + 2 * configuration.patroni.loopWait : Handover.patience / 2)
        }
    }

    /// How many replicas there are that may become synchronous.
    private func directReplicas(of leader: Node) -> Int {
        membership.members.filter {
            $0.name != leader.name && configuration.streams($0.name, fromLeader: leader.name)
        }.count
    }

    /// - Parameter handover: what is about to be made; nil when it is over.
    @ResourceBuilder
    func restoredNodeCount(after handover: Handover?) -> [any Resource] {
        if synchronousNodes > 0 {
            RestoredNodeCount(
                count: configuration.patroni.synchronous.count, api: api(handover?.from ?? leader),
                willBeRaisedUntil: handover.map(isDone))
        }
    }
}
