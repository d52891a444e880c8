import Drover
import SystemResources

/// What shows, on one host, that a handover was made.
enum HandoverSign: Sendable {
    /// This member leads, by the word of the Patroni that is asked.
    case leads(String, view: HTTPResponse)
    /// PostgreSQL runs with the parameters that it shall have.
    case runsAsDeclared(ParametersInForce)

    var questions: [any Fact] {
        switch self {
        case .leads(_, let view): [view]
        case .runsAsDeclared(let parameters): parameters.questions
        }
    }

    func isSeen(in facts: Facts) throws -> Bool {
        switch self {
        case .leads(let name, let view):
            try facts[view].patroni(PatroniStatus.Cluster.self)?.members.first(where: \.isLeader)?.name == name
        case .runsAsDeclared(let parameters):
            try !parameters.needRestart(given: facts)
        }
    }
}

/// Waits for a condition after something that has not happened yet, so that the plan shows that it will be waited for.
struct AwaitedAfter: Resource {
    let condition: Condition
    let isDone: HandoverSign

    var name: String { condition.name }

    var questions: [any Fact] { condition.questions + isDone.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let willHappen = try !isDone.isSeen(in: facts)
        return try condition.changes(
            given: facts, after: willHappen ? PendingEffects([.starts("patroni.service")]) : pending)
    }

    func essence(given facts: Facts) throws -> String { try condition.essence(given: facts) }
}
