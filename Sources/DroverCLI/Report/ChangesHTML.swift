import Engine

/// The changes of a play, and what became of them: each once, with the hosts that it is for.
struct ChangesHTML {
    let play: String
    let groups: [ChangeGroup]
    let outcomes: StepOutcomes
    /// Whether the person had seen them before they were made.
    var isPlanned = true

    var html: HTML {
        """
        <h3>\(play)\(isPlanned ? "" : " <span class=\"chip warn\">not planned</span>" as HTML)</h3>
        <ul class="changes">
        \(HTML.lines(groups.map(item)))
        </ul>
        """
    }

    private func item(_ group: ChangeGroup) -> HTML {
        let change = group.step.change
        let head: HTML = """
            <span><span class="what">\(change.summary)</span> \(group.hosts.map { chip($0, group.step) })</span>\
            \(group.step.source.map { "<span class=\"source\">\($0)</span>" as HTML } ?? "")
            """
        guard let diff = change.diff, !diff.lines.isEmpty else { return "<li><div>\(head)</div></li>" }
        return """
            <li><details><summary>\(head)</summary>
            <pre class="diff">\(diff.lines.map(line))</pre></details></li>
            """
    }

    private func chip(_ host: String, _ step: HostPlan.Step) -> HTML {
        guard let span = outcomes.span(of: step, in: play, on: host) else {
            return "<span class=\"chip\" title=\"not done: not wanted any more, or not begun\">\(host)</span> "
        }
        let isDone = span.outcome == .done
        return """
            <span class="chip \(isDone ? "good" : "bad")">\(isDone ? "✓" : "✗") \(host) \
            <small>\(Text.seconds(span.seconds))</small></span> \

            """
    }

    private func line(_ line: UnifiedDiff.Line) -> HTML {
        switch line {
        case .context(let text): "<span> \(text)</span>"
        case .removed(let text): "<del>-\(text)</del>"
        case .added(let text): "<ins>+\(text)</ins>"
        case .hunk(let head): "<b>\(head)</b>"
        }
    }
}
