import Inventory

/// Everything that a playbook will change, before the first change is made.
public struct Plan: Sendable {
    /// What one play will change.
    public struct Stage: Sendable {
        public let play: Play
        /// One for every host of the play, in its order.
        public let hosts: [HostPlan]

        public var hasChanges: Bool { hosts.contains { !$0.steps.isEmpty } }
    }

    public let stages: [Stage]
    /// What must be said to approve it; nil when a yes is enough.
    public let confirmation: Confirmation?

    /// Decides what must change on every host of every play.
    ///
    /// - Throws: what a playbook or a resource throws that cannot decide from what was observed.
    public init(_ plays: [Play], observed: Observations, confirmation: Confirmation? = nil) throws {
        try self.init(Declarations(plays), observed: observed, confirmation: confirmation)
    }

    init(_ declarations: Declarations, observed: Observations, confirmation: Confirmation?) throws {
        self.confirmation = confirmation
        stages = try declarations.parts.map { part in
            let hosts = try part.hosts.map { try HostPlan(for: $0.resources, on: $0.host, given: observed[$0.host]) }
            return Stage(play: part.play, hosts: hosts)
        }
    }

    public var hasChanges: Bool { stages.contains(where: \.hasChanges) }

    /// How many steps there are, over all plays and hosts.
    public var stepCount: Int { stages.flatMap(\.hosts).map(\.steps.count).reduce(0, +) }

    /// What people should know, each text once with the hosts that it is about.
    public var notices: [(hosts: [String], text: String)] {
        var notices: [(hosts: [String], text: String)] = []
        for plan in stages.flatMap(\.hosts) {
            for text in plan.notices {
                let index = notices.firstIndex { $0.text == text } ?? notices.endIndex
                if index == notices.endIndex { notices.append(([], text)) }
                if notices[index].hosts.contains(plan.host.name) { continue }
                notices[index].hosts.append(plan.host.name)
            }
        }
        return notices
    }
}
