import Drover
import Inventory

/// A plan as people read it: by play, each change once with the hosts that it is for.
struct PlanText {
    let plan: Drover.Plan
    let style: Style
    let showsDiffs: Bool

    var lines: [String] {
        var lines: [String] = []
        for (hosts, text) in plan.notices {
            lines.append("\(style.yellow("note")) \(hosts.joined(separator: " ")): \(text)")
        }
        guard plan.hasChanges else { return lines + ["Nothing to change."] }
        for stage in plan.stages where stage.hasChanges {
            lines += ["", style.bold(stage.play.name)]
            for group in groups(of: stage) {
                lines.append(
                    "  \(style.green("+")) \(group.summary)  \(style.faint(group.hosts.joined(separator: " ")))")
                if showsDiffs, let diff = group.diff { lines += diff.lines.map { "      " + styled($0) } }
            }
        }
        let hosts = Set(plan.stages.flatMap(\.hosts).filter { !$0.steps.isEmpty }.map(\.host.name)).count
        return lines + ["", "\(Text.count(plan.stepCount, "change")) on \(Text.count(hosts, "host"))."]
    }

    private struct Group {
        let summary: String
        let diff: UnifiedDiff?
        var hosts: [String]
    }

    /// Changes that are the same on several hosts stand together, in the order of the first host that has them.
    private func groups(of stage: Drover.Plan.Stage) -> [Group] {
        var groups: [Group] = []
        for hostPlan in stage.hosts {
            for step in hostPlan.steps {
                let change = step.change
                let same = groups.firstIndex {
                    $0.summary == change.summary && $0.diff == change.diff && $0.hosts.last != hostPlan.host.name
                }
                if let same {
                    groups[same].hosts.append(hostPlan.host.name)
                } else {
                    groups.append(Group(summary: change.summary, diff: change.diff, hosts: [hostPlan.host.name]))
                }
            }
        }
        return groups
    }

    private func styled(_ line: UnifiedDiff.Line) -> String {
        switch line {
        case .context(let text): " \(text)"
        case .removed(let text): style.red("-\(text)")
        case .added(let text): style.green("+\(text)")
        case .hunk(let head): style.cyan(head)
        }
    }
}
