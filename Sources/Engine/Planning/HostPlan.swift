public import Inventory

/// What one play will change on one host.
public struct HostPlan: Sendable {
    /// A change and the resource that wants it.
    public struct Step: Hashable, Sendable {
        /// The name of the resource, such as `file /etc/motd`.
        public let resource: String
        public let change: Change
        /// Where the playbook declares the resource, as `Module/File.swift:LINE`; nil when it was not written in a play.
        public let source: String?

        init(resource: String, change: Change, source: String? = nil) {
            self.resource = resource
            self.change = change
            self.source = source
        }
    }

    public let host: Host
    /// How many resources the host has in the play.
    public let resourceCount: Int
    public let steps: [Step]
    /// What people should know although nothing is changed for it.
    public let notices: [String]

    /// Whether something that runs is restarted or reloaded.
    var disturbs: Bool { steps.contains(where: \.change.isDisturbing) }

    /// Decides what must change: the one function that plan, apply and verify all call.
    ///
    /// - Throws: what a resource throws that cannot decide from `facts`.
    init(for resources: [any Resource], on host: Host, given facts: Facts) throws {
        var steps: [Step] = []
        var notices: [String] = []
        var pending = PendingEffects()
        for resource in resources {
            let changes = try resource.changes(given: facts, after: pending)
            pending.add(changes)
            let source = (resource as? Declared)?.source
            steps += changes.map { Step(resource: resource.name, change: $0, source: source) }
            notices += try resource.notices(given: facts)
        }
        self.host = host
        self.resourceCount = resources.count
        self.steps = steps
        self.notices = notices
    }
}
