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

    /// Carries out the steps. When the connection is lost meanwhile, the host tells what it has done, is asked anew, and
    /// what is still wanted is done then. What was waited for and is untrue again, for a daemon has begun to read its
    /// configuration anew meanwhile, is waited for once more.
    func carryOut() async -> Outcome {
        var outcome = Outcome(host: host)
        guard let session = observer.sessions[host] else { return outcome }
        var plan = plan
        var hasWaitedAgain = false
        while true {
            var progress = StepProgress(plan: plan, play: play.name, reporter: observer.context.reporter)
            do {
                defer { outcome.done += progress.done }
                switch try await session.apply(plan.steps, onEvent: { progress.take($0) }) {
                case .told(let status): progress.finish(status)
                case .lost(let statuses): progress.take(statuses)
                }
            } catch {
                outcome.notBegun = progress.notBegun
                outcome.failure =
                    error is CancellationError
                    ? .interrupted(during: progress.current, notBegun: progress.notBegun) : .session(error)
                return outcome
            }
            if let failure = progress.failure {
                outcome.notBegun = progress.notBegun
                outcome.failure = failure
                return outcome
            }
            do {
                let rest = try await observe(&outcome)
                if rest.steps.isEmpty { return outcome }
                if progress.isComplete {
                    guard !hasWaitedAgain, rest.steps.allSatisfy(\.change.isWaiting) else {
                        outcome.failure = .notConverged(rest.steps)
                        return outcome
                    }
                    hasWaitedAgain = true
                }
                plan = rest
            } catch {
                outcome.failure = .session(error)
                return outcome
            }
        }
    }

    /// Looks at the host again.
    ///
    /// - Returns: what the play still wants there.
    private func observe(_ outcome: inout Outcome) async throws -> HostPlan {
        let facts = try await observer.observeAgain(host, afterPlay: index, given: observed)
        outcome.facts = facts
        return try HostPlan(for: play.resources(on: host), on: host, given: facts)
    }
}
