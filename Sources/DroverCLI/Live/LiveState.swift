import Engine
import Inventory

/// What each host is busy with at this moment.
struct LiveState {
    struct Activity: Hashable {
        let host: String
        var text: String
        /// How far it is, in its own words.
        var progress: String?
        /// When it began, in seconds since the begin of the run.
        var since: Double
        var isAtWork = true
    }

    /// In the order in which the hosts were first heard of.
    private(set) var activities: [Activity] = []
    /// The plays that have something to do.
    private var plays: [String] = []
    /// Where the run is: `play 2 of 9: Start etcd`, `stopping`.
    private(set) var progress: String?
    /// Whether there is something to look at: not while the person reads the plan, and not when all is over.
    private(set) var isShown = false

    /// - Parameter now: in seconds since the begin of the run.
    mutating func take(_ event: RunEvent, at now: Double) {
        switch event {
        case .hostEntered(let host, let phase):
            enter(host.name, phase.words, isAtWork: phase != .waiting, at: now)
        case .stepBegan(let host, _, let step, let number, let count):
            enter(host.name, "step \(number)/\(count): \(step.change.summary)", isAtWork: true, at: now)
        case .stepProgressed(let host, let text):
            if let index = activities.firstIndex(where: { $0.host == host.name }) {
                activities[index].progress = Text.printable(text)
            }
        case .stepTold: break
        case .stepEnded(let host, _, _, _):
            enter(host.name, HostPhase.applying.words, isAtWork: true, at: now)
        case .hostFailed(let host, _): activities.removeAll { $0.host == host.name }
        case .planned(let plan):
            plays = plan.stages.filter(\.hasChanges).map(\.play.name)
            isShown = false
        case .playBegan(let name):
            // A play that nobody planned has become necessary meanwhile.
            progress = plays.firstIndex(of: name).map { "play \($0 + 1) of \(plays.count): \(name)" } ?? name
        case .stopping: progress = "stopping"
        case .finished: isShown = false
        }
    }

    mutating func hide() { isShown = false }

    private mutating func enter(_ host: String, _ text: String, isAtWork: Bool, at now: Double) {
        let activity = Activity(host: host, text: Text.printable(text), since: now, isAtWork: isAtWork)
        if let index = activities.firstIndex(where: { $0.host == host }) {
            // To be told the same again is no new begin.
            if activities[index].text != activity.text { activities[index] = activity }
        } else {
            activities.append(activity)
        }
        // While everything waits, nothing new is to be seen: a question may stand on the screen.
        if isAtWork { isShown = true }
    }
}
