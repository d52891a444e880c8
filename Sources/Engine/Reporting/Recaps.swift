import Inventory

/// Counts, for each host, what became of its resources.
struct Recaps {
    private var order: [String] = []
    private var recaps: [String: RunResult.Recap] = [:]

    /// Begins with what the plan says: what is converged is ok, everything else is skipped until it is done.
    init(of plan: Plan) {
        for stage in plan.stages {
            for hostPlan in stage.hosts {
                let name = hostPlan.host.name
                if recaps[name] == nil { order.append(name) }
                let wanting = Set(hostPlan.steps.map(\.resource)).count
                recaps[name, default: RunResult.Recap()].ok += hostPlan.resourceCount - wanting
                recaps[name, default: RunResult.Recap()].skipped += wanting
            }
        }
    }

    var all: [(host: String, recap: RunResult.Recap)] {
        order.map { ($0, recaps[$0] ?? RunResult.Recap()) }
    }

    mutating func take<P>(_ outcome: HostPart<P>.Outcome) {
        let failed: Set<String> =
            switch outcome.failure {
            case .step(let step, _, _, _): [step.resource]
            case .notConverged(let steps): Set(steps.map(\.resource))
            case .interrupted(let step, _): Set(step.map { [$0.resource] } ?? [])
            case .session, .moved, nil: []
            }
        let changed = Set(outcome.done.map(\.resource)).subtracting(outcome.notBegun.map(\.resource))
            .subtracting(failed).count
        update(outcome.host) { recap in
            recap.changed += changed
            recap.failed += failed.count
            recap.skipped = max(0, recap.skipped - changed - failed.count)
            if case .session = outcome.failure { recap.unreachable = 1 }
        }
    }

    /// After success nothing was skipped: what the plan wanted and no play did had become so by itself.
    mutating func settle() {
        for (host, recap) in recaps {
            recaps[host]?.ok += recap.skipped
            recaps[host]?.skipped = 0
        }
    }

    /// Takes a host that could not be reached.
    mutating func lose(_ host: Host) {
        if recaps[host.name] == nil { order.append(host.name) }
        update(host) { $0.unreachable = 1 }
    }

    mutating func fail(_ host: Host) {
        update(host) { $0.failed += 1 }
    }

    private mutating func update(_ host: Host, _ body: (inout RunResult.Recap) -> Void) {
        body(&recaps[host.name, default: RunResult.Recap()])
    }
}
