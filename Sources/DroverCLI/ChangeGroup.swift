import Drover
import Inventory

/// A change that is the same on several hosts of a play.
struct ChangeGroup {
    let step: HostPlan.Step
    private(set) var hosts: [String]

    /// The changes of a play, each once, in the order of the first host that has them.
    static func all(of stage: Drover.Plan.Stage) -> [ChangeGroup] {
        var groups: [ChangeGroup] = []
        for plan in stage.hosts {
            for step in plan.steps {
                let change = step.change
                let same = groups.firstIndex {
                    $0.step.change.summary == change.summary && $0.step.change.diff == change.diff
                        && $0.hosts.last != plan.host.name
                }
                if let same {
                    groups[same].hosts.append(plan.host.name)
                } else {
                    groups.append(ChangeGroup(step: step, hosts: [plan.host.name]))
                }
            }
        }
        return groups
    }
}
