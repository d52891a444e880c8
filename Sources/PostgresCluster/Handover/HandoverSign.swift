import Engine
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

/// Waits for a condition that holds, and will not hold for a while: the plan shows that it will be waited for.
struct Foreseen: Resource {
    let condition: Condition
    /// Whether it is about to be broken.
    let willBreak: Bool

    var name: String { condition.name }

    var questions: [any Fact] { condition.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try condition.changes(
            given: facts, after: willBreak ? PendingEffects([.starts("patroni.service")]) : pending)
    }

    func essence(given facts: Facts) throws -> String { try condition.essence(given: facts) }
}
