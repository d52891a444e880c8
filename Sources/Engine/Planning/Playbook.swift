public import ArgumentParser
public import Inventory

/// A procedure on the hosts of an inventory, whose options are typed parameters.
///
/// It is pure: from the inventory it makes a model, before any host is contacted, and from the model and from what was
/// observed it makes plays.
public protocol Playbook: ParsableArguments, Sendable {
    /// What the inventory says, decoded and checked.
    associatedtype Model: Sendable

    /// The name on the command line, such as `deploy-cluster`.
    static var name: String { get }

    /// One sentence for the list of playbooks.
    static var abstract: String { get }

    /// Whether it reads, or judges, a variable of this name. Other playbooks then do not take it for an unknown one when they
    /// share an inventory.
    static func reads(_ variable: String) -> Bool

    /// Decodes and checks the inventory and the options completely.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    func model(of inventory: Inventory) throws -> Model

    /// The inventory with values for variables that it refers to and does not set.
    func completed(_ inventory: Inventory) -> Inventory

    /// What every host is asked about itself, such as its release. It does not change while other runs are waited for.
    var hostQuestions: [any Fact] { get }

    /// The model with what the hosts have reported about themselves in place of what was assumed.
    ///
    /// - Returns: nil if that changes nothing.
    func model(_ model: Model, boundTo observed: Observations) -> Model?

    /// The hosts that the playbook is about.
    func hosts(of model: Model) -> [Host]

    /// How many hosts may fail before no further play begins.
    var failureBudget: FailureBudget { get }

    /// Whether it must be carried out as a whole: neither on some of its hosts only, nor some of its plays, nor without
    /// hosts that have failed.
    var isIndivisible: Bool { get }

    /// The same, where only what was observed decides it.
    func isIndivisible(for model: Model, observed: Observations) -> Bool

    /// The questions beyond those of the plays' resources that decide what the plays are. A host that has any is asked
    /// also when it is not among those that may be changed.
    func questions(of host: Host, in model: Model) -> [any Fact]

    /// The plays that bring the hosts to the declared state. Called before anything was observed (so that all
    /// questions go out in one exchange) and again with the answers.
    ///
    /// - Throws: ``Refusal`` when the observed state must not be touched.
    func plays(for model: Model, observed: Observations) throws -> [Play]

    /// Writes down on this machine what the model has made up, such as a password: once the plan is approved or saved, and
    /// before any host is changed.
    ///
    /// - Throws: when that is not possible; then nothing is changed.
    func prepare(_ model: Model) throws

    /// The guards, and what must be said to approve the plan. Called once in a run, when everything was observed and
    /// nothing is changed yet.
    ///
    /// - Returns: nil when a yes is enough.
    /// - Throws: ``Refusal`` when the observed state must not be touched.
    func confirmation(for model: Model, observed: Observations) throws -> Confirmation?
}

extension Playbook {
    /// None: a host that fails, or cannot be reached, stops the plays after it for all.
    public var failureBudget: FailureBudget { .none }

    public static func reads(_ variable: String) -> Bool { false }

    public func completed(_ inventory: Inventory) -> Inventory { inventory }

    public var hostQuestions: [any Fact] { [] }

    public func model(_ model: Model, boundTo observed: Observations) -> Model? { nil }

    public var isIndivisible: Bool { false }

    public func isIndivisible(for model: Model, observed: Observations) -> Bool { false }

    public func questions(of host: Host, in model: Model) -> [any Fact] { [] }

    public func prepare(_ model: Model) throws {}

    public func confirmation(for model: Model, observed: Observations) throws -> Confirmation? { nil }
}

/// What was observed on the hosts, by name of the host.
public struct Observations: Sendable {
    private var facts: [String: Facts]

    public init(_ facts: [String: Facts] = [:]) {
        self.facts = facts
    }

    /// The facts of a host; none when nothing was observed there yet.
    public subscript(_ host: Host) -> Facts {
        get { facts[host.name] ?? Facts() }
        set { facts[host.name] = newValue }
    }
}

/// A guard forbids to go on: the hosts are in a state that the playbook must not touch.
public struct Refusal: Error, CustomStringConvertible {
    /// What was found, and why that is no ground to build on.
    public let reason: String
    /// What the person can do, each as one sentence.
    public let remedies: [String]

    public init(_ reason: String, remedies: [String]) {
        self.reason = reason
        self.remedies = remedies
    }

    /// All reasons at once, each with what can be done about it.
    ///
    /// - Returns: nil when there are none.
    public init?(all refusals: [Refusal]) {
        guard !refusals.isEmpty else { return nil }
        self.init(refusals.map(\.description).joined(separator: "\n"), remedies: [])
    }

    public var description: String {
        ([reason] + remedies.map { "  - " + $0 }).joined(separator: "\n")
    }
}
