import Inventory

/// One host's way through plays between which no barrier stands: each as soon as the one before is done there.
struct HostChain<P: Playbook>: Sendable {
    let host: Host
    /// Which of the playbook's plays they are.
    let indices: Range<Int>
    let observer: Observer<P>
    let observed: Observations
    /// The steps that may be carried out; nil for whatever is necessary.
    let approved: ApprovedSteps?
    /// Called when a play has something to do on the host, before it is done.
    let onBegin: @Sendable (Play) -> Void

    /// - Returns: what became of each play that had something to do, up to the first that failed.
    func carryOut() async -> [HostPart<P>.Outcome] {
        var observed = observed
        var outcomes: [HostPart<P>.Outcome] = []
        for index in indices {
            do {
                observed[host] = try await observer.refresh(host, before: index, given: observed)
                guard let part = try part(index, given: observed) else { continue }
                if observer.context.interruption.isRequested {
                    outcomes.append(refusal(.interrupted(during: nil, notBegun: part.plan.steps)))
                    return outcomes
                }
                if let strange = approved?.strange(part.plan.steps, in: part.play, on: host), !strange.isEmpty {
                    outcomes.append(refusal(.moved(strange)))
                    return outcomes
                }
                onBegin(part.play)
                let outcome = await part.carryOut()
                outcomes.append(outcome)
                if let facts = outcome.facts { observed[host] = facts }
                if let failure = outcome.failure {
                    observer.context.reporter.report(.hostFailed(host: host, failure))
                    return outcomes
                }
            } catch {
                outcomes.append(refusal(.session(error)))
                return outcomes
            }
        }
        return outcomes
    }

    /// - Returns: nil when the play has nothing to do on the host.
    private func part(_ index: Int, given observed: Observations) throws -> HostPart<P>? {
        let plays = try observer.plays(given: observed)
        guard index < plays.count, plays[index].hosts.contains(where: { $0.name == host.name }) else { return nil }
        let play = plays[index]
        let plan = try HostPlan(for: play.resources(on: host), on: host, given: observed[host])
        guard !plan.steps.isEmpty else { return nil }
        return HostPart(play: play, index: index, plan: plan, observer: observer, observed: observed)
    }

    private func refusal(_ failure: HostFailure) -> HostPart<P>.Outcome {
        observer.context.reporter.report(.hostFailed(host: host, failure))
        return HostPart<P>.Outcome(host: host, failure: failure)
    }
}
