import Inventory

/// One host's part of a play: its steps, and the look afterwards whether they achieved what they were for.
struct HostPart<P: Playbook>: Sendable {
    struct Outcome: Sendable {
        let host: Host
        /// The steps that were carried out.
        var done: [HostPlan.Step] = []
        /// The steps that were not begun.
        var notBegun: [HostPlan.Step] = []
        /// What is known of the host afterwards, or nil when nothing new is known.
        var facts: Facts?
        var failure: HostFailure?
    }

    let play: Play
    /// Which of the playbook's plays it is.
    let index: Int
    let plan: HostPlan
    let observer: Observer<P>
    let observed: Observations

    private var host: Host { plan.host }

    func carryOut() async -> Outcome {
        var progress = Progress(plan: plan, reporter: observer.run.reporter)
        var outcome = Outcome(host: host)
        do {
            guard let session = observer.sessions[host] else { return outcome }
            let status = try await session.apply(plan.steps) { progress.take($0) }
            outcome.done = Array(plan.steps.prefix(progress.ended))
            if status != 0 {
                let notBegun = Array(plan.steps.dropFirst(progress.ended + 1))
                let failed = plan.steps[min(progress.ended, plan.steps.count - 1)]
                outcome.notBegun = notBegun
                outcome.failure = .step(failed, status: status, output: progress.output, notBegun: notBegun)
                return outcome
            }
            let facts = try await observer.observeAgain(host, afterPlay: index, given: observed)
            outcome.facts = facts
            let rest = try HostPlan(for: play.resources(on: host), on: host, given: facts)
            if !rest.steps.isEmpty { outcome.failure = .notConverged(rest.steps) }
        } catch {
            outcome.done = Array(plan.steps.prefix(progress.ended))
            outcome.notBegun = Array(plan.steps.dropFirst(progress.ended + 1))
            outcome.failure = .session(error)
        }
        return outcome
    }

    /// Follows the steps while they run.
    private struct Progress {
        let plan: HostPlan
        let reporter: any Reporter
        private let clock = ContinuousClock()
        private var began: ContinuousClock.Instant?
        /// How many steps have ended well.
        private(set) var ended = 0
        /// What the current step has printed.
        private(set) var output: [String] = []

        init(plan: HostPlan, reporter: any Reporter) {
            self.plan = plan
            self.reporter = reporter
        }

        mutating func take(_ event: ApplyOutput.Event) {
            switch event {
            case .began(let step) where plan.steps.indices.contains(step):
                began = clock.now
                output = []
            case .printed(let line):
                output.append(line)
            case .ended(status: 0) where ended < plan.steps.count:
                let seconds = began.map { (clock.now - $0) / .seconds(1) } ?? 0
                reporter.report(.stepEnded(host: plan.host, step: plan.steps[ended], seconds: seconds))
                ended += 1
            case .began, .ended: break
            }
        }
    }
}
