import Engine
import Inventory

/// What `--json` tells of a plan.
struct PlanEvent {
    struct Notice: Encodable {
        let hosts: [String]
        let text: String
    }

    struct Play: Encodable {
        let name: String
        let hosts: [HostSteps]
    }

    struct HostSteps: Encodable {
        let host: String
        let steps: [Step]
    }

    struct Step: Encodable {
        let resource: String
        let summary: String
        let kind: String
        let ownership: String?
        let source: String?
        var diff: [String]?

        init(_ step: HostPlan.Step) {
            resource = step.resource
            summary = step.change.summary
            kind = step.change.kind.rawValue
            ownership = step.change.ownership
            source = step.source
        }
    }

    private let plan: Engine.Plan

    init(_ plan: Engine.Plan) {
        self.plan = plan
    }

    var fields: [String: (any Encodable)?] {
        [
            "changes": plan.stepCount, "confirm": plan.confirmation?.words,
            "notices": plan.notices.map { Notice(hosts: $0.hosts, text: $0.text) },
            "plays": plan.stages.filter(\.hasChanges).map { stage in
                Play(name: stage.play.name, hosts: stage.hosts.filter { !$0.steps.isEmpty }.map(steps))
            },
        ]
    }

    private func steps(of plan: HostPlan) -> HostSteps {
        HostSteps(
            host: plan.host.name,
            steps: plan.steps.map { planned in
                var step = Step(planned)
                step.diff = planned.change.diff?.text
                return step
            })
    }
}
