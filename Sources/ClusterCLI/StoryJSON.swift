import PostgresCluster

/// The story of a change of the leader as JSON.
struct StoryJSON: Encodable {
    struct Change: Encodable {
        let timeline: Int
        let time: String
        let leader: String?
        let target: String?

        init(_ change: LeaderChange) {
            timeline = change.timeline
            time = LogText.timestamp(change.time)
            leader = change.leader
            target = change.target
        }
    }

    private struct Event: Encodable {
        let time: String
        let member: String
        let text: String
    }

    private struct Outage: Encodable {
        let begin: String
        let end: String
        let seconds: Double
        let isExact: Bool
    }

    private let change: Change
    private let previous: String?
    private let cause: String
    private let outage: Outage?
    private let events: [Event]

    init(_ story: LeaderStory) {
        change = Change(story.change)
        previous = story.previous
        cause = story.cause
        outage = story.outage.map {
            Outage(
                begin: LogText.timestamp($0.begin), end: LogText.timestamp($0.end), seconds: $0.seconds,
                isExact: $0.isExact)
        }
        events = story.events.map { Event(time: LogText.timestamp($0.time), member: $0.member, text: $0.text) }
    }
}
