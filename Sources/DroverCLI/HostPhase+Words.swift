import Engine

extension HostPhase {
    /// One word for it, for programs.
    var name: String {
        switch self {
        case .connecting: "connecting"
        case .waitingForLock: "waitingForLock"
        case .gathering: "gathering"
        case .applying: "applying"
        case .verifying: "verifying"
        case .reconnecting: "reconnecting"
        case .waiting: "waiting"
        }
    }

    /// Who holds the lock, or why the connection was lost.
    var detail: String? {
        switch self {
        case .waitingForLock(let holder): holder
        case .reconnecting(let reason): reason
        case .connecting, .gathering, .applying, .verifying, .waiting: nil
        }
    }

    /// For people: `verifying`, `waits: another run is at work`.
    var words: String {
        switch self {
        case .waitingForLock(let holder): "waits: \(holder)"
        case .reconnecting(let reason): "reconnecting: \(reason)"
        case .connecting, .gathering, .applying, .verifying, .waiting: name
        }
    }
}
