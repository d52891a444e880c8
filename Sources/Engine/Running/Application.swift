public import Inventory
import Synchronization

/// Carries out the plays and keeps what is known of the hosts up to date.
struct Application<P: Playbook> {
    private var observer: Observer<P>
    private var observed: Observations
    private(set) var recaps: Recaps
    private let preparation: Preparation<P>
    private let approved: ApprovedSteps?
    private var failed: Set<String>

    /// - Parameter isBound: whether only steps of the plan may be carried out.
    init(_ preparation: Preparation<P>, isBound: Bool) {
        self.preparation = preparation
        observer = preparation.observer
        observed = preparation.observation.observed
        recaps = preparation.recaps
        approved = isBound ? ApprovedSteps(preparation.observation.plan) : nil
        failed = Set(preparation.failures.map(\.host.name))
    }

    private var context: RunContext { observer.context }

    /// Every play is planned again when it begins, from what is known of the hosts by then.
    ///
    /// - Returns: how it ended.
    /// - Throws: ``Refusal``, or what a playbook throws that cannot make its plays any more.
    mutating func carryOut(_ plan: Plan) async throws -> ExitStatus {
        var worst = ExitStatus.done
        var next = 0
        while next < plan.stages.count {
            let plays = try observer.plays(given: observed)
            guard next < plays.count else { break }
            let end = plays.indices.dropFirst(next + 1).first { plays[$0].strategy != .free } ?? plays.count
            worst = worse(worst, try await carryOut(plays, next..<end))
            next = end
            let budget = preparation.budget
            guard [.done, .stepFailed, .unreachable, .notConverged].contains(worst), !context.interruption.isRequested,
                budget.allows(failed.count, of: observer.hosts.count + failed.count)
            else { return context.interruption.isRequested && worst == .done ? .interrupted : worst }
        }
        let status = worse(worst, try await verifyEverything())
        if status == .done { recaps.settle() }
        return status
    }

    /// Carries out a play and those after it that need not wait for it to be done everywhere.
    private mutating func carryOut(_ plays: [Play], _ indices: Range<Int>) async throws -> ExitStatus {
        let first = plays[indices.lowerBound]
        // Who is disturbed is decided here already.
        if first.strategy == .rolling { await refresh(first.hosts, before: indices.lowerBound) }
        let alone = first.strategy == .rolling ? try first.hosts.filter { try isDisturbed($0, by: first) } : []
        let hosts = observer.hosts.filter { host in
            plays[indices].contains { $0.hosts.contains { $0.name == host.name } }
                && !alone.contains { $0.name == host.name }
        }
        let announced = Mutex(Set<String>())
        let context = context
        func chain(_ host: Host) -> HostChain<P> {
            HostChain(
                host: host, indices: indices, observer: observer, observed: observed, approved: approved,
                onBegin: { play in
                    if announced.withLock({ $0.insert(play.name).inserted }) {
                        context.reporter.report(.playBegan(name: play.name))
                    }
                })
        }
        var status = ExitStatus.done
        for outcomes in await concurrently(hosts.map(chain), atMost: context.options.parallel, { await $0.carryOut() })
        {
            status = worse(status, take(outcomes))
        }
        for host in alone where status == .done {
            status = take(await chain(host).carryOut())
        }
        observer.hosts.removeAll { failed.contains($0.name) }
        return status
    }

    /// Asks hosts anew what a play is decided by. One that does not answer tells so when its turn comes.
    private mutating func refresh(_ hosts: [Host], before index: Int) async {
        let (observer, observed) = (observer, observed)
        let looks = await concurrently(hosts, atMost: context.options.parallel) { host in
            try? await observer.refresh(host, before: index, given: observed)
        }
        for (host, facts) in zip(hosts, looks) {
            if let facts { self.observed[host] = facts }
        }
    }

    private func isDisturbed(_ host: Host, by play: Play) throws -> Bool {
        try HostPlan(for: play.resources(on: host), on: host, given: observed[host]).disturbs
    }

    private mutating func take(_ outcomes: [HostPart<P>.Outcome]) -> ExitStatus {
        var status = ExitStatus.done
        for outcome in outcomes {
            recaps.take(outcome)
            if let facts = outcome.facts { observed[outcome.host] = facts }
            guard let failure = outcome.failure else { continue }
            failed.insert(outcome.host.name)
            status = worse(status, failure.exitStatus(on: outcome.host))
        }
        return status
    }

    /// The person's own wish is told before any failure; a failed step is the worst news then, and then whatever came
    /// first.
    private func worse(_ left: ExitStatus, _ right: ExitStatus) -> ExitStatus {
        [.interrupted, .stepFailed].first { [left, right].contains($0) } ?? (left == .done ? right : left)
    }

    /// A later play may have undone what an earlier one did, and a host that was changed may have changed what is
    /// seen from another: all hosts are looked at once more, and must satisfy all plays.
    private mutating func verifyEverything() async throws -> ExitStatus {
        let (observer, before) = (observer, observed)
        let findings: Observer<P>.Findings
        do {
            findings = try await context.interruption.cancelling { try await observer.observeAgain(given: before) }
        } catch is CancellationError {
            return .interrupted
        }
        observed = findings.observed
        var status = ExitStatus.done
        for failure in findings.failures {
            status = worse(status, fail(failure.host, .session(failure.error)))
        }
        guard status == .done else { return status }
        let stages = try Plan(findings.declarations, observed: observed, confirmation: nil).stages
        let rest = stages.enumerated().flatMap { index, stage in
            stage.hosts.filter { !$0.steps.isEmpty }.map { plan in
                HostPart(play: stage.play, index: index, plan: plan, observer: observer, observed: self.observed)
            }
        }
        if rest.flatMap(\.plan.steps).allSatisfy(\.change.isWaiting) { return await waitAgain(rest) }
        for part in rest { status = fail(part.plan.host, .notConverged(part.plan.steps)) }
        return status
    }

    /// What was true already may be untrue for a moment by what was done last, on this host or on another one: a daemon that
    /// was reloaded closes its port and opens it again.
    private mutating func waitAgain(_ parts: [HostPart<P>]) async -> ExitStatus {
        var status = ExitStatus.done
        for part in parts {
            context.reporter.report(.playBegan(name: part.play.name))
            let outcome = await part.carryOut()
            status = worse(status, take([outcome]))
            if let failure = outcome.failure {
                context.reporter.report(.hostFailed(host: outcome.host, failure))
            }
        }
        return status
    }

    private mutating func fail(_ host: Host, _ failure: HostFailure) -> ExitStatus {
        recaps.fail(host)
        context.reporter.report(.hostFailed(host: host, failure))
        return failure.exitStatus(on: host)
    }
}

extension HostFailure {
    /// What the program exits with for this.
    ///
    /// - Parameter host: on which it happened.
    public func exitStatus(on host: Host) -> ExitStatus {
        switch self {
        case .notConverged: .notConverged
        case .session(let error): HostFailures.Failure(host: host, error: error).exitStatus
        case .step: .stepFailed
        case .interrupted: .interrupted
        case .moved: .stalePlan
        }
    }
}
