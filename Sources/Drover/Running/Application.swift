import Inventory

/// Carries out the plays one after the other and keeps what is known of the hosts up to date.
struct Application<P: Playbook> {
    let observer: Observer<P>
    private var observed: Observations
    private(set) var recaps: Recaps

    init(observer: Observer<P>, observed: Observations, recaps: Recaps) {
        self.observer = observer
        self.observed = observed
        self.recaps = recaps
    }

    private var reporter: any Reporter { observer.run.reporter }

    /// Every play is planned again when it begins, from what is known of the hosts by then.
    ///
    /// - Returns: how it ended.
    /// - Throws: ``Refusal``, or what a playbook throws that cannot make its plays any more.
    mutating func carryOut(_ plan: Plan) async throws -> ExitStatus {
        for index in plan.stages.indices {
            let plays = try observer.plays(given: observed)
            guard index < plays.count else { break }
            let status = try await carryOut(plays[index], index)
            guard status == .done else { return status }
        }
        let status = try await verifyEverything()
        if status == .done { recaps.settle() }
        return status
    }

    private mutating func carryOut(_ play: Play, _ index: Int) async throws -> ExitStatus {
        let plans = try play.hosts.map { host in
            try HostPlan(for: play.resources(on: host), on: host, given: observed[host])
        }.filter { !$0.steps.isEmpty }
        guard !plans.isEmpty else { return .done }
        reporter.report(.playBegan(name: play.name))
        let alone = plans.filter { play.strategy == .rolling && $0.disturbs }
        let parts = plans.filter { play.strategy != .rolling || !$0.disturbs }.map { part(of: play, index, $0) }
        var status = ExitStatus.done
        for result in await concurrently(parts, { await $0.carryOut() }) {
            status = worse(status, take(result))
        }
        for plan in alone where status == .done {
            status = take(await part(of: play, index, plan).carryOut())
        }
        return status
    }

    private func part(of play: Play, _ index: Int, _ plan: HostPlan) -> HostPart<P> {
        HostPart(play: play, index: index, plan: plan, observer: observer, observed: observed)
    }

    private mutating func take(_ result: HostPart<P>.Outcome) -> ExitStatus {
        recaps.take(result)
        if let facts = result.facts { observed[result.host] = facts }
        guard let failure = result.failure else { return .done }
        reporter.report(.hostFailed(host: result.host, failure))
        return status(of: failure, on: result.host)
    }

    private func status(of failure: HostFailure, on host: Host) -> ExitStatus {
        switch failure {
        case .notConverged: .notConverged
        case .session(let error): HostFailures([HostFailures.Failure(host: host.name, error: error)]).exitStatus
        case .step: .stepFailed
        }
    }

    /// A failed step is the worst news, then whatever came first.
    private func worse(_ left: ExitStatus, _ right: ExitStatus) -> ExitStatus {
        if left == .stepFailed || right == .stepFailed { return .stepFailed }
        return left == .done ? right : left
    }

    /// A later play may have undone what an earlier one did, and a host that was changed may have changed what is
    /// seen from another: all hosts are looked at once more, and must satisfy all plays.
    private mutating func verifyEverything() async throws -> ExitStatus {
        let (observer, before) = (observer, observed)
        let looks = await concurrently(observer.hosts) { host in
            await Result(catching: { try await observer.observeAgain(host, given: before) })
        }
        var status = ExitStatus.done
        for (host, look) in zip(observer.hosts, looks) {
            switch look {
            case .success(let facts): observed[host] = facts
            case .failure(let error): status = worse(status, fail(host, .session(error)))
            }
        }
        guard status == .done else { return status }
        for plan in try Plan(observer.plays(given: observed), observed: observed).stages.flatMap(\.hosts)
        where !plan.steps.isEmpty {
            status = fail(plan.host, .notConverged(plan.steps))
        }
        return status
    }

    private mutating func fail(_ host: Host, _ failure: HostFailure) -> ExitStatus {
        recaps.fail(host)
        reporter.report(.hostFailed(host: host, failure))
        return status(of: failure, on: host)
    }
}
