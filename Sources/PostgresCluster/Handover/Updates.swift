public import Engine
import Inventory
import SystemResources

extension Cluster {
    /// Brings the members of a running cluster to what is declared, the leader last.
    ///
    /// While the Patroni of the leader is restarted, it does not answer the checks of the balancers, and they would end the
    /// connections of all clients. So they keep to the leader meanwhile.
    public var updates: [Play] {
        let tags: Set = ["patroni", "pgbouncer"]
        let restart = restartsPatroniOfLeader ? Handover(from: leader, to: nil) : nil
        let balancers = configuration.balancers.map(\.host)
        let (leading, others) = (present.filter { $0.name == leader.name }, present.filter { $0.name != leader.name })
        return [
            Play("Bring the members up to date", on: others.map(\.host), .rolling, tags: tags) { try update(on: $0) },
            Play("Keep clients at the leader", on: balancers, tags: tags) { _ in
                if let restart { steadyBalancer(for: restart, patience: Self.patienceWithPatroni) }
            },
            Play("Bring the leader up to date", on: leading.map(\.host), tags: tags) { try update(on: $0) },
            Play("Let balancers check the leader again", on: balancers, tags: tags) { host in
                if restart != nil || isSteady(host) { passedClients(after: restart) }
            },
        ]
    }

    /// For how long balancers keep to the leader if the run dies, in seconds.
    private static let patienceWithPatroni = 60

    @ResourceBuilder
    private func update(on host: Host) throws -> [any Resource] {
        try patroni(on: host)
        try pgbouncer(on: host)
    }

    /// Whether the Patroni of the leader runs, and is about to be restarted.
    private var restartsPatroniOfLeader: Bool {
        guard membership.leader?.name == leader.name, isServed(leader),
            let resources = try? patroniStart(of: leader) + [patroniService(of: leader)]
        else { return false }
        var pending = PendingEffects()
        for resource in resources {
            // As long as not everything is known, nothing is.
            guard let changes = try? resource.changes(given: observed[leader.host], after: pending) else {
                return false
            }
            pending.add(changes)
        }
        return pending.contains(.starts("patroni.service"))
    }
}
