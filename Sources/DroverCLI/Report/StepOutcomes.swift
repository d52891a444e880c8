import Drover

/// What became of the steps of a plan.
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

    /// - Returns: nil when the step was not begun.
    func span(of step: HostPlan.Step, in play: String, on host: String) -> RunRecord.StepSpan? {
        spans[key(step, play, host)]
    }

    private func key(_ step: HostPlan.Step, _ play: String, _ host: String) -> Key {
        Key(host: host, play: play, resource: step.resource, summary: step.change.summary)
    }
}
