import Engine
import Inventory

/// All that happened in a run, and when. Times are in seconds since its begin.
struct RunRecord: Sendable {
    struct StepSpan: Sendable {
        enum Outcome: Sendable { case running, done, failed }

        let host: String
        let play: String
        let step: HostPlan.Step
        let began: Double
        fileprivate(set) var ended: Double
        fileprivate(set) var outcome = Outcome.running

        var seconds: Double { ended - began }
    }

    struct PhaseSpan: Sendable {
        let host: String
        let phase: HostPhase
        let began: Double
        fileprivate(set) var ended: Double
    }

    private(set) var plan: Engine.Plan?
    /// When the plan was shown, and the person was asked.
    private(set) var planned: Double?
    /// The plays that had something to do, with the times of their begin.
    private(set) var plays: [(name: String, began: Double)] = []
    private(set) var steps: [StepSpan] = []
    private(set) var phases: [PhaseSpan] = []
    private(set) var failures: [(host: Host, failure: HostFailure)] = []
    private(set) var result: RunResult?
    private var openPhases: [String: Int] = [:]
    private var openSteps: [String: Int] = [:]

    mutating func take(_ event: RunEvent, at now: Double) {
        switch event {
        case .planned(let plan):
            self.plan = plan
            planned = now
        case .playBegan(let name): plays.append((name, now))
        case .hostEntered(let host, let phase):
            endStep(on: host.name, at: now, .failed)
            endPhase(on: host.name, at: now)
            openPhases[host.name] = phases.count
            phases.append(PhaseSpan(host: host.name, phase: phase, began: now, ended: now))
        case .stepBegan(let host, let play, let step, _, _):
            openSteps[host.name] = steps.count
            steps.append(StepSpan(host: host.name, play: play, step: step, began: now, ended: now))
        case .stepEnded(let host, _, _, let seconds):
            guard let index = openSteps[host.name] else { break }
            endStep(on: host.name, at: steps[index].began + seconds, .done)
        case .hostFailed(let host, let failure):
            end(host.name, at: now)
            failures.append((host, failure))
        case .stopping, .stepProgressed, .stepTold: break
        case .finished(let result):
            end(at: now)
            self.result = result
        }
    }

    /// The run is over: whatever goes on is ended.
    mutating func end(at now: Double) {
        for host in Set(openPhases.keys).union(openSteps.keys) { end(host, at: now) }
    }

    private mutating func end(_ host: String, at now: Double) {
        endStep(on: host, at: now, .failed)
        endPhase(on: host, at: now)
    }

    /// A step that ends without a word has not succeeded.
    private mutating func endStep(on host: String, at now: Double, _ outcome: StepSpan.Outcome) {
        guard let index = openSteps.removeValue(forKey: host) else { return }
        steps[index].ended = now
        steps[index].outcome = outcome
    }

    private mutating func endPhase(on host: String, at now: Double) {
        guard let index = openPhases.removeValue(forKey: host) else { return }
        phases[index].ended = now
    }
}
