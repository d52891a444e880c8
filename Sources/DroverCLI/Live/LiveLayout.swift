/// The live region: a line for each host, and one for the whole run.
struct LiveLayout {
    /// The size of the terminal, in columns and lines.
    let width: Int
    let height: Int
    let style: Style

    /// How wide the elapsed time is at most: `1:00:05`.
    private static let timeWidth = 7

    /// - Parameter now: in seconds since the begin of the run.
    func lines(_ state: LiveState, at now: Double) -> [LiveLine] {
        guard state.isShown, width > 0, height > 2 else { return [] }
        // Half of the screen belongs to what has happened.
        let room = max(1, height / 2 - 1)
        let shown = state.activities.count > room ? busiest(state.activities, room - 1) : state.activities
        let nameWidth = min(shown.map { DisplayWidth.of($0.host) }.max() ?? 0, width / 3)
        var lines = shown.map { line($0, nameWidth, at: now) }
        let hidden = state.activities.count - shown.count
        if hidden > 0 { lines.append(faint("… and \(hidden) more")) }
        let elapsed = now < 60 ? "\(Int(now)) s" : Text.elapsed(now)
        lines.append(faint([state.progress, elapsed].compactMap(\.self).joined(separator: "  ")))
        return lines
    }

    /// Those that have been at work for the longest time, in the order that they had.
    private func busiest(_ activities: [LiveState.Activity], _ count: Int) -> [LiveState.Activity] {
        let ranked = activities.indices.sorted { left, right in
            let (one, other) = (activities[left], activities[right])
            if one.isAtWork != other.isAtWork { return one.isAtWork }
            return (one.since, left) < (other.since, right)
        }
        return ranked.prefix(max(0, count)).sorted().map { activities[$0] }
    }

    private func line(_ activity: LiveState.Activity, _ nameWidth: Int, at now: Double) -> LiveLine {
        let name = Text.padded(Text.cut(activity.host, nameWidth), nameWidth)
        let time = Text.aligned(activity.isAtWork ? Text.elapsed(now - activity.since) : "", Self.timeWidth)
        let head = Text.cut("  \(name)  \(time)", width - 1)
        let text = Text.cut(
            "  " + ([activity.text] + (activity.progress.map { [$0] } ?? [])).joined(separator: "  "),
            width - 1 - DisplayWidth.of(head))
        return LiveLine(
            text: activity.isAtWork ? style.cyan(head) + text : style.faint(head + text),
            width: DisplayWidth.of(head + text))
    }

    private func faint(_ text: String) -> LiveLine {
        let cut = Text.cut("  " + text, width - 1)
        return LiveLine(text: style.faint(cut), width: DisplayWidth.of(cut))
    }
}
