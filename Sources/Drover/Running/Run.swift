import Diagnostics
public import Inventory

/// One run of a playbook: connect, observe, plan, and, once approved, apply and verify.
public struct Run<P: Playbook>: Sendable {
    let playbook: P
    let model: P.Model
    let settings: ConnectionSettings
    let reporter: any Reporter

    /// - Parameters:
    ///   - playbook: the procedure, with its options.
    ///   - inventory: the hosts and what is said of them.
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory or the options. No host is contacted.
    public init(
        _ playbook: P, inventory: Inventory, settings: ConnectionSettings, reporter: any Reporter
    ) throws {
        self.playbook = playbook
        self.model = try playbook.model(of: inventory)
        self.settings = settings
        self.reporter = reporter
        // Building the plays and their resources without facts finds what is wrong with templates and variables before any
        // host is contacted.
        var diagnostics = Diagnostics()
        for play in try playbook.plays(for: model, observed: Observations()) {
            for host in play.hosts { _ = try diagnostics.collect { try play.resources(on: host) } }
        }
        try diagnostics.throwIfAny()
    }

    /// Finds out what would change, and changes nothing.
    ///
    /// - Throws: ``HostFailures``, ``Refusal``.
    public func plan() async throws -> RunResult {
        try await withSessions(for: .observe) { observer in
            let (_, plan) = try await observer.observe()
            reporter.report(.planned(plan))
            return RunResult(recaps: [], costs: [:], status: plan.hasChanges ? .changesPending : .done, seconds: 0)
        }
    }

    /// Finds out what must change, asks, changes it, and verifies that it is as declared.
    ///
    /// - Parameter approve: decides about the plan; not asked when there is nothing to change.
    /// - Throws: ``HostFailures``, ``Refusal``. A failure after the first change is no error but part of the result.
    public func apply(approve: @Sendable (Plan) async -> Bool) async throws -> RunResult {
        try await withSessions(for: .change) { observer in
            let (observed, plan) = try await observer.observe()
            reporter.report(.planned(plan))
            guard plan.hasChanges else {
                return RunResult(recaps: Recaps(of: plan).all, costs: [:], status: .done, seconds: 0)
            }
            guard await approve(plan) else {
                return RunResult(recaps: [], costs: [:], status: .interrupted, seconds: 0)
            }
            var application = Application(observer: observer, observed: observed, recaps: Recaps(of: plan))
            let status = try await application.carryOut(plan)
            return RunResult(recaps: application.recaps.all, costs: [:], status: status, seconds: 0)
        }
    }

    private func withSessions(
        for purpose: Sessions.Purpose, _ body: (Observer<P>) async throws -> RunResult
    ) async throws -> RunResult {
        let clock = ContinuousClock()
        let start = clock.now
        let hosts = playbook.hosts(of: model)
        let sessions = try await Sessions.open(hosts, for: purpose, settings: settings)
        let outcome = await Result {
            var result = try await body(Observer(run: self, hosts: hosts, sessions: sessions))
            result.costs = await sessions.costs()
            result.seconds = (clock.now - start) / .seconds(1)
            return result
        }
        await sessions.close()
        let result = try outcome.get()
        reporter.report(.finished(result))
        return result
    }
}
