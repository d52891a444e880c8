import Inventory

/// The steps of a plan that may be carried out, and no others. Who only waits changes nothing, and needs nobody's leave.
struct ApprovedSteps: Sendable {
    private let steps: Set<String>

    init(_ plan: Plan) {
        steps = Set(
            plan.stages.flatMap { stage in
                stage.hosts.flatMap { host in
                    host.steps.map { Self.key($0, in: stage.play, on: host.host) }
                }
            })
    }

    /// Those of `wanted` that the plan does not have, for people.
    func strange(_ wanted: [HostPlan.Step], in play: Play, on host: Host) -> [String] {
        wanted.filter { !$0.change.isWaiting && !steps.contains(Self.key($0, in: play, on: host)) }.map {
            "\($0.resource): \($0.change.summary)"
        }
    }

    private static func key(_ step: HostPlan.Step, in play: Play, on host: Host) -> String {
        [play.name, host.name, step.resource, step.change.summary].joined(separator: "\n")
    }
}
