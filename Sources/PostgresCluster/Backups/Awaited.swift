import Engine
import Secrets

/// Something for which other hosts first have to tell what they will only make in an earlier play. Until then a plan
/// shows that it will be done, though not what it will say.
struct Awaited: Resource {
    let resource: any Resource
    /// What is announced meanwhile, in the words of the resource's own change; nil when all is known.
    let announcement: String?

    var name: String { resource.name }

    var questions: [any Fact] { resource.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let announcement else { return try resource.changes(given: facts, after: pending) }
        return [Change(announcement, script: "echo 'other hosts have not told what this is made of'\nexit 1")]
    }

    func notices(given facts: Facts) throws -> [String] { try resource.notices(given: facts) }

    func essence(given facts: Facts) throws -> String { try resource.essence(given: facts) }
}
