import Engine
import Inventory

/// A change that is the same on several hosts of a play.
struct ChangeGroup {
    let step: HostPlan.Step
    private(set) var hosts: [String]

    /// The changes of a play, each once, in the order of the first host that has them.
    static func all(of stage: Engine.Plan.Stage) -> [ChangeGroup] {
        all(of: stage.hosts.flatMap { plan in plan.steps.map { (plan.host.name, $0) } })
    }

    /// - Parameter steps: with their hosts, those of a host together.
    static func all(of steps: [(host: String, step: HostPlan.Step)]) -> [ChangeGroup] {
        var groups: [ChangeGroup] = []
        for (host, step) in steps {
            let same = groups.firstIndex {
                $0.looks(like: step.change) && $0.hosts.last != host
            }
            if let same {
                groups[same].hosts.append(host)
            } else {
                groups.append(ChangeGroup(step: step, hosts: [host]))
            }
        }
        return groups
    }

    private func looks(like change: Change) -> Bool {
        let own = step.change
        return own.summary == change.summary && own.diff == change.diff && own.ownership == change.ownership
    }
}
