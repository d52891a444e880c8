import Diagnostics
import Secrets

@testable import Engine
@testable import Inventory

extension Host {
    /// A host of which only the name matters.
    static func named(_ name: String) -> Host {
        Host(
            name: name, location: SourceLocation(file: "hosts.yml", line: 1, column: 1), groups: ["all"], variables: [:]
        )
    }
}

/// A resource that wants certain changes.
struct Wish: Resource {
    let name: String
    var wanted: [Change] = []
    var notes: [String] = []

    var questions: [any Fact] { [] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] { wanted }

    func notices(given facts: Facts) throws -> [String] { notes }
}

extension Change {
    static func writing(_ path: String, from old: String = "", to new: String) -> Change {
        Change("write \(path)", diff: UnifiedDiff(from: old, to: new), script: "")
    }
}

extension HostPlan.Step {
    /// A step of which only the summary matters.
    static func sample(_ summary: String) -> HostPlan.Step {
        HostPlan.Step(resource: "resource", change: Change(summary, script: ""))
    }
}
