import DroverCLI
import PostgresCluster

/// Changes of a leader as lines.
enum StoryText {
    static func lines(of changes: [LeaderChange]) -> [String] {
        if changes.isEmpty { return ["The leader has not changed since the cluster was made."] }
        return Text.table(
            [["timeline", "began", "leader", "recovered to"]]
                + changes.map { [String($0.timeline), words(of: $0.time), $0.leader ?? "-", $0.target ?? ""] })
    }

    static func lines(of story: LeaderStory, style: Style) -> [String] {
        let (change, leader) = (story.change, story.change.leader ?? "another member")
        let before =
            switch story.previous {
            case leader?: "It was the leader before, too."
            case let member?: "Before, it was \(member)."
            case nil: "Nothing tells which member it was before."
            }
        let width = story.events.map(\.member.count).max() ?? 0
        var day = ""
        var lines = [
            style.bold("\(leader) became the leader at \(words(of: change.time)), on timeline \(change.timeline).")
                + " \(before)",
            "",
            "Cause   \(Text.printable(story.cause))", "Outage  \(words(of: story.outage))",
        ]
        for event in story.events {
            let time = event.time.description
            if !time.hasPrefix(day) || day.isEmpty {
                day = String(time.prefix(10))
                lines += ["", style.faint("\(day), times in UTC")]
            }
            lines.append(
                "\(style.faint(LogText.clock(event.time))) \(style.cyan(Text.padded(event.member, width))) "
                    + Text.printable(event.text))
        }
        return lines
    }

    /// `2026-11-25 03:40:28.946 UTC`.
    private static func words(of time: Moment) -> String { "\(time.description.prefix(10)) \(LogText.clock(time)) UTC" }

    private static func words(of outage: LeaderStory.Outage?) -> String {
        guard let outage else { return "the messages do not tell for how long no member accepted writes" }
        let seconds = Text.seconds(outage.seconds)
        return outage.isExact
            ? "no member accepted writes for \(seconds)"
            : "no member accepted writes for at most \(seconds): from the last sign of the former leader on"
    }
}
