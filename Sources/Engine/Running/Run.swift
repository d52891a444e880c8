import Diagnostics
import FoundationEssentials
public import Inventory

/// One run of a playbook: connect, observe, plan, and, once approved, apply and verify.
public struct Run<P: Playbook>: Sendable {
    let playbook: P
    private(set) var model: P.Model
    private let inventory: Inventory
    /// Whether the inventory takes what only the hosts themselves know.
    private let takesFacts: Bool
    private let context: RunContext
    /// What is declared as long as nothing was observed.
    private var opening: Declarations

    /// - Parameters:
    ///   - playbook: the procedure, with its options.
    ///   - inventory: the hosts and what is said of them.
    ///   - interruption: through which the person can end the run before its time.
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory or the options. No host is contacted.
    public init(
        _ playbook: P, inventory: Inventory, options: RunOptions = RunOptions(), settings: ConnectionSettings,
        interruption: Interruption = Interruption(), reporter: any Reporter
    ) throws {
        self.playbook = playbook
        self.inventory = playbook.completed(inventory)
        takesFacts = self.inventory.takesFacts
        self.model = try playbook.model(of: inventory)
        context = RunContext(
            identity: .new(of: P.name), options: options, settings: settings, interruption: interruption,
            reporter: reporter)
        // Building the plays and their resources without facts finds what is wrong with templates and variables before any
        // host is contacted.
        let plays = try playbook.plays(for: model, observed: Observations())
        opening = try Declarations(checking: plays)
        try options.check(plays, on: playbook.hosts(of: model))
        if playbook.isIndivisible { try options.checkWhole(P.name) }
    }

    /// Finds out what would change, and changes nothing on the hosts.
    ///
    /// - Parameter isKept: whether somebody may carry out exactly this later: then what the model has made up for it is
    ///   written down on this machine.
    /// - Returns: how it ended, and what `apply` needs to do exactly this.
    /// - Throws: ``HostFailures``, ``Refusal``, `CancellationError`.
    public func plan(isKept: Bool = false) async throws -> (result: RunResult, observation: Observation) {
        // What is kept may be carried out later, when the host that does not answer is there again.
        let isWhole = isKept || playbook.isIndivisible
        let outcome = try await withSessions(for: .observe, isWhole: isWhole) { preparation in
            if isKept { try playbook.prepare(preparation.observer.run.model) }
            context.reporter.report(.planned(preparation.observation.plan))
            let status = preparation.observation.plan.hasChanges ? ExitStatus.changesPending : .done
            return (preparation.observation, preparation.result(status, recaps: []))
        }
        return (outcome.result, outcome.value)
    }

    /// Finds out what must change, asks, changes it, and verifies that it is as declared.
    ///
    /// - Parameters:
    ///   - saved: the plan that is to be carried out exactly; nil for whatever must change.
    ///   - approve: decides about the plan; not asked when there is nothing to change.
    /// - Throws: ``HostFailures``, ``Refusal``, ``StalePlan``, `CancellationError`, and what `approve` throws. A failure after
    ///   the first change is no error but part of the result.
    public func apply(
        _ saved: SavedPlan? = nil, approve: @escaping @Sendable (Plan) async throws -> Bool
    ) async throws -> RunResult {
        try await withSessions(for: .change) { preparation in
            let plan = preparation.observation.plan
            try saved?.check(against: preparation.observation)
            context.reporter.report(.planned(plan))
            guard plan.hasChanges else { return ((), preparation.result(.done, recaps: preparation.recaps.all)) }
            let isApproved = try await context.interruption.cancelling { try await approve(plan) }
            guard isApproved else { return ((), preparation.result(.interrupted, recaps: [])) }
            try playbook.prepare(preparation.observer.run.model)
            var application = Application(preparation, isBound: saved != nil)
            let status = try await application.carryOut(plan)
            return ((), preparation.result(status, recaps: application.recaps.all))
        }.result
    }

    /// Connects, observes, and hands on what was found; closes the sessions afterwards, whatever happens.
    ///
    /// - Parameter isWhole: whether no more hosts may fail than the failure budget allows.
    private func withSessions<Value: Sendable>(
        for purpose: Sessions.Purpose, isWhole: Bool = true,
        _ body: (Preparation<P>) async throws -> (Value, RunResult)
    ) async throws -> (value: Value, result: RunResult) {
        let clock = ContinuousClock()
        let (start, processorStart) = (clock.now, ProcessorTime.seconds)
        let options = context.options
        let hosts = playbook.hosts(of: model).filter {
            options.includes($0) || !playbook.questions(of: $0, in: model).isEmpty
        }
        let (sessions, observed, failures) = try await context.interruption.cancelling {
            await Sessions.open(hosts, context: context, asking: openingQuestions) {
                options.includes($0) ? purpose : .observe
            }
        }
        let outcome = await Result {
            let preparation = try await bound(to: observed, of: hosts)
                .prepare(hosts, sessions, observed, failures, isWhole: isWhole)
            var (value, result) = try await body(preparation)
            result.costs.hosts = await sessions.costs()
            result.costs.controllerSeconds = ProcessorTime.seconds - processorStart
            result.seconds = (clock.now - start) / .seconds(1)
            return (value, result)
        }
        await sessions.close()
        let (value, result) = try outcome.get()
        context.reporter.report(.finished(result))
        return (value, result)
    }

    /// What a host is asked as soon as it is reached. Nothing while others may have to be waited for: what was seen before
    /// would be old by then.
    private func openingQuestions(of host: Host) -> FactRequests {
        let options = context.options
        // What a host is does not change while others are waited for.
        let own: [any Fact] = (takesFacts ? [InventoryFacts()] : []) + playbook.hostQuestions
        guard !options.waitsForLock else { return FactRequests(own) }
        let declared = options.includes(host) ? opening.questions(of: host, in: options.selects) : []
        return FactRequests(own + playbook.questions(of: host, in: model) + declared)
    }

    /// The same run with what the hosts have told of themselves in the place of what was assumed for the first checks.
    ///
    /// - Throws: `Diagnostics` when the real values make the inventory wrong. Nothing is changed then.
    private func bound(to observed: Observations, of hosts: [Host]) throws -> Run {
        var result = self
        if takesFacts {
            var facts: [String: HostFacts] = [:]
            for host in hosts { facts[host.name] = observed[host].ifKnown(InventoryFacts()) }
            result.model = try playbook.model(of: inventory.bound(to: facts))
        }
        let bound = playbook.model(result.model, boundTo: observed)
        guard takesFacts || bound != nil else { return self }
        if let bound { result.model = bound }
        result.opening = try Declarations(
            checking: try playbook.plays(for: result.model, observed: Observations()))
        return result
    }

    fileprivate func prepare(
        _ hosts: [Host], _ sessions: Sessions, _ observed: Observations, _ failures: [HostFailures.Failure],
        isWhole: Bool
    ) async throws -> Preparation<P> {
        var observer = Observer(run: self, context: context, sessions: sessions, hosts: hosts)
        let budget = context.options.failureBudget ?? playbook.failureBudget
        let tolerated = isWhole ? budget : .unlimited
        var failures = failures
        func leaveOutFailures() throws {
            // What the plays are cannot be decided without the answers of a host that is asked for that.
            let isDecisive = failures.contains { !playbook.questions(of: $0.host, in: model).isEmpty }
            guard failures.isEmpty || (!isDecisive && tolerated.allows(failures.count, of: hosts.count)),
                failures.count < hosts.count || hosts.isEmpty
            else { throw HostFailures(failures) }
            observer.hosts.removeAll { host in failures.contains { $0.host.name == host.name } }
        }
        try leaveOutFailures()
        let asking = observer
        let result = try await context.interruption.cancelling { try await asking.observe(beyond: observed) }
        failures += result.failures
        try leaveOutFailures()
        for failure in failures {
            context.reporter.report(.hostFailed(host: failure.host, .session(failure.error)))
        }
        if playbook.isIndivisible(for: model, observed: result.observed) {
            try context.options.checkWhole(P.name)
            if !failures.isEmpty { throw HostFailures(failures) }
        }
        let confirmation = try playbook.confirmation(for: model, observed: result.observed)
        let plan = try Plan(result.declarations, observed: result.observed, confirmation: confirmation)
        return Preparation(
            observer: observer, observation: Observation(plan: plan, observed: result.observed), failures: failures,
            budget: budget)
    }
}

/// What was found before the first change.
struct Preparation<P: Playbook>: Sendable {
    let observer: Observer<P>
    let observation: Observation
    /// The hosts that cannot take part, as far as the failure budget allows.
    let failures: [HostFailures.Failure]
    let budget: FailureBudget

    var recaps: Recaps {
        var recaps = Recaps(of: observation.plan)
        for failure in failures { recaps.lose(failure.host) }
        return recaps
    }

    /// - Parameter status: how the hosts that took part ended.
    func result(_ status: ExitStatus, recaps: [(host: String, recap: RunResult.Recap)]) -> RunResult {
        var result = RunResult(recaps: recaps, status: status)
        result.unasked = failures.map(\.host.name)
        if !failures.isEmpty, [.done, .changesPending].contains(status) {
            result.status = HostFailures(failures).exitStatus
        }
        result.costs.resources = observation.plan.stages.flatMap(\.hosts).map(\.resourceCount).reduce(0, +)
        return result
    }
}

/// What was observed on all hosts, and what is to be done because of it.
public struct Observation: Sendable {
    public let plan: Plan
    let observed: Observations
}
