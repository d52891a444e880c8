import Engine
import Inventory

/// A plan as people read it: by play, each change once with the hosts that it is for.
struct PlanText {
    let plan: Engine.Plan
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
            for group in ChangeGroup.all(of: stage) {
                let change = group.step.change
                let places = [group.hosts.joined(separator: " "), change.ownership].compactMap(\.self)
                let sign = PlanSign(kind: change.kind, style: style).text
                lines.append("  \(sign) \(change.summary)  \(style.faint(places.joined(separator: "  ")))")
                if showsDiffs, let diff = change.diff { lines += diff.lines.map { "      " + styled($0) } }
            }
        }
        let hosts = Set(plan.stages.flatMap(\.hosts).filter { !$0.steps.isEmpty }.map(\.host.name)).count
        return lines + ["", "\(Text.count(plan.stepCount, "change")) on \(Text.count(hosts, "host"))."] + confirmation
    }

    private var confirmation: [String] {
        plan.confirmation.map {
            ["This destroys '\($0.name)'. To approve it without a terminal: --confirm \($0.words)"]
        } ?? []
    }

    private func styled(_ line: UnifiedDiff.Line) -> String {
        switch line {
        case .context(let text): " " + Text.printable(text)
        case .removed(let text): style.red("-" + Text.printable(text))
        case .added(let text): style.green("+" + Text.printable(text))
        case .hunk(let head): style.cyan(head)
        }
    }
}
