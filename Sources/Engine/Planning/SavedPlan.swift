import Crypto
import Diagnostics
import FoundationEssentials
import Inventory
import Secrets

/// A plan in a file: what will be done, for people to review, and digests of what was observed, so that it is carried
/// out only on hosts that are still like that.
///
/// The same plan gives the same bytes. No secret is in it.
public struct SavedPlan: Codable, Hashable, Sendable {
    struct Stage: Codable, Hashable {
        let play: String
        let hosts: [HostSteps]
    }

    struct HostSteps: Codable, Hashable {
        let host: String
        let steps: [Step]
    }

    struct Step: Codable, Hashable {
        let resource: String
        let summary: String
        var diff: [String]?
        /// SHA-256 of the shell text, its secrets masked.
        let script: String
    }

    /// The version of this form.
    let format: Int
    public let playbook: String
    /// The words after the playbook's name on the command line that made the plan.
    public let arguments: [String]
    let changes: Int
    let plays: [Stage]
    /// By host and resource, the digest of what its decision rested on.
    let observed: [String: [String: String]]

    static let currentFormat = 1

    public init(_ observation: Observation, playbook: String, arguments: [String]) throws {
        format = Self.currentFormat
        self.playbook = playbook
        self.arguments = arguments
        changes = observation.plan.stepCount
        plays = observation.plan.stages.filter(\.hasChanges).map { stage in
            Stage(
                play: stage.play.name,
                hosts: stage.hosts.filter { !$0.steps.isEmpty }.map { plan in
                    HostSteps(host: plan.host.name, steps: plan.steps.map(Step.init))
                })
        }
        observed = try observation.digests
    }

    /// Reads a plan from JSON.
    ///
    /// - Parameter name: of the file, for errors.
    /// - Throws: `Diagnostic` when it is no plan, or one of a later version.
    public init(json: String, name: String) throws {
        struct Form: Decodable { let format: Int }
        let data = Data(json.utf8)
        guard let form = try? JSONDecoder().decode(Form.self, from: data) else {
            throw Diagnostic("'\(name)' is no saved plan", remedy: "make one with 'drover plan PLAYBOOK … -o \(name)'")
        }
        guard form.format == Self.currentFormat, let plan = try? JSONDecoder().decode(SavedPlan.self, from: data) else {
            throw Diagnostic(
                "the saved plan '\(name)' has another form (\(form.format)) than this version writes "
                    + "(\(Self.currentFormat))", remedy: "make it anew with 'drover plan'")
        }
        self = plan
    }

    /// The text of the file.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    /// - Throws: ``StalePlan`` when a host has moved since, or something else is declared now.
    func check(against observation: Observation) throws {
        let now = try SavedPlan(observation, playbook: playbook, arguments: arguments)
        var moved: [StalePlan.Difference] = []
        for host in Set(observed.keys).union(now.observed.keys).sorted() {
            let (before, after) = (observed[host] ?? [:], now.observed[host] ?? [:])
            for resource in Set(before.keys).union(after.keys).sorted() where before[resource] != after[resource] {
                let isKnown = before[resource] != nil && after[resource] != nil
                moved.append(.init(host: host, resource: resource, isDeclaration: !isKnown))
            }
        }
        if moved.isEmpty { moved = otherSteps(than: now) }
        if !moved.isEmpty { throw StalePlan(differences: moved) }
    }

    /// Resources whose steps are other ones although their hosts have not moved.
    private func otherSteps(than now: SavedPlan) -> [StalePlan.Difference] {
        func keys(_ plays: [Stage]) -> Set<[String]> {
            Set(
                plays.flatMap { stage in
                    stage.hosts.flatMap { host in
                        host.steps.map { [host.host, $0.resource, stage.play, $0.summary, $0.script] }
                    }
                })
        }
        let others = keys(plays).symmetricDifference(keys(now.plays)).map { [$0[0], $0[1]] }
        return Set(others).sorted { $0.lexicographicallyPrecedes($1) }.map {
            .init(host: $0[0], resource: $0[1], isDeclaration: true)
        }
    }
}

extension SavedPlan.Step {
    init(_ step: HostPlan.Step) {
        resource = step.resource
        summary = step.change.summary
        diff = step.change.diff?.text
        script = SHA256.hash(data: Array(step.change.script.description.utf8)).hexadecimal
    }
}

extension Observation {
    /// By host and resource, the digest of what the resource's decision rested on, in all its plays.
    fileprivate var digests: [String: [String: String]] {
        get throws {
            var essences: [String: [String: String]] = [:]
            for stage in plan.stages {
                for host in stage.play.hosts {
                    // What looks at nothing, such as a notice of a password that saving the plan has generated, is as its steps.
                    for resource in try stage.play.resources(on: host) where !resource.questions.isEmpty {
                        let essence = try resource.essence(given: observed[host])
                        essences[host.name, default: [:]][resource.name, default: ""] += essence + "\u{1d}"
                    }
                }
            }
            // Half a digest is enough to notice a change, and keeps the file readable.
            return essences.mapValues { $0.mapValues { SHA256.hash(data: Array($0.utf8)).prefix(16).hexadecimal } }
        }
    }
}

/// A host is not any more as it was when the plan was saved.
public struct StalePlan: Error, Hashable, CustomStringConvertible {
    /// A resource that differs from the saved plan.
    public struct Difference: Hashable, Sendable {
        public let host: String
        public let resource: String
        /// Whether it is the inventory or the playbook that says something else now, and not the host.
        public let isDeclaration: Bool
    }

    public let differences: [Difference]

    public var description: String {
        let lines = differences.prefix(20).map { difference in
            difference.isDeclaration
                ? "\(difference.host): something else is declared now for \(difference.resource)"
                : "\(difference.host): \(difference.resource) has changed since the plan was saved"
        }
        let more = differences.count > 20 ? ["and \(differences.count - 20) more"] : []
        return
            (["the plan is stale, and nothing was changed:"] + (lines + more).map { "  " + $0 } + [
                "  make it anew with 'drover plan … -o FILE', and review it"
            ]).joined(separator: "\n")
    }
}
