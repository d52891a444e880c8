/// A resource together with the place in the playbook that declares it.
public struct Declared: Resource {
    public let resource: any Resource
    /// The Swift file, as its module and name, and the line: `Playbooks/DeployCluster.swift:21`.
    public let source: String

    public var name: String { resource.name }
    public var questions: [any Fact] { resource.questions }
    public func questions(given facts: Facts) -> [any Fact] { resource.questions(given: facts) }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try resource.changes(given: facts, after: pending)
    }

    public func notices(given facts: Facts) throws -> [String] { try resource.notices(given: facts) }

    public func essence(given facts: Facts) throws -> String { try resource.essence(given: facts) }
}
