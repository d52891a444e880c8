import Engine
import Inventory

/// What became of the steps of a plan, and which steps nobody had planned.
struct StepOutcomes {
    private struct Key: Hashable {
        let host: String
        let play: String
        let resource: String
        let summary: String
    }

    private var spans: [Key: RunRecord.StepSpan] = [:]

    init(_ record: RunRecord) {
        for span in record.steps {
            spans[key(span.step, span.play, span.host)] = span
        }
    }

    /// The steps that became necessary during the run, by play.
    func unplanned(by plan: Engine.Plan) -> [(play: String, steps: [(host: String, step: HostPlan.Step)])] {
        var rest = spans
        for stage in plan.stages {
            for host in stage.hosts {
                for step in host.steps { rest[key(step, stage.play.name, host.host.name)] = nil }
            }
        }
        let left = rest.values.sorted { ($0.host, $0.began) < ($1.host, $1.began) }
        let plays = left.map(\.play).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return plays.map { play in (play, left.filter { $0.play == play }.map { ($0.host, $0.step) }) }
    }

    /// - Returns: nil when the step was not begun.
    func span(of step: HostPlan.Step, in play: String, on host: String) -> RunRecord.StepSpan? {
        spans[key(step, play, host)]
    }

    private func key(_ step: HostPlan.Step, _ play: String, _ host: String) -> Key {
        Key(host: host, play: play, resource: step.resource, summary: step.change.summary)
    }
}
