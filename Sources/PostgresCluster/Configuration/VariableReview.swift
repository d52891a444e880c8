public import Diagnostics
public import Inventory

/// What becomes of each variable of an inventory when a cluster is made of it.
public struct VariableReview: Sendable {
    /// The names that the cluster's configuration takes, sorted.
    public let understood: [String]
    /// Those to which others refer, and those that another playbook reads, sorted.
    public let referred: [String]
    /// Those of postgresql_cluster that ask for nothing that would not be done anyway, each with what is done.
    public let agreeing: [(variable: Variable, reason: String)]
    /// Those of postgresql_cluster that ask for something else, each with the reason why that is not done.
    public let unsupported: [(variable: Variable, reason: String)]
    /// What of understood variables is not done as it is written, although that does no harm.
    public let notes: [Diagnostic]
    /// Whatever else is wrong, such as unknown names.
    public let faults: Diagnostics

    /// Decodes the whole configuration, so that it can be told by what is asked for.
    public init(of inventory: Inventory) throws {
        var faults = Diagnostics()
        let safe = try faults.collect { try ClusterSafe(for: inventory) }
        let inventory = safe?.inventory ?? inventory.completed(with: ClusterDefaults.values)
        var variables = Variables(of: inventory)
        _ = try faults.collect { try ClusterConfiguration(inventory, &variables) }
        var agreeing: [(variable: Variable, reason: String)] = []
        var unsupported: [(variable: Variable, reason: String)] = []
        var others: Set<String> = []
        for variable in variables.unasked {
            switch variables.verdict(on: variable) {
            case .agreeing(let reason): agreeing.append((variable, reason))
            case .unsupported(let reason): unsupported.append((variable, reason))
            case .known: others.insert(variable.name)
            case .unknown: break
            }
        }
        understood = Set(inventory.declaredVariables.map(\.name)).filter(variables.isAsked).sorted()
        referred = others.sorted()
        self.agreeing = agreeing
        self.unsupported = unsupported
        notes = variables.notes
        let places = Set(unsupported.map(\.variable.location))
        self.faults = Diagnostics(faults.all.filter { fault in fault.location.map { !places.contains($0) } ?? true })
    }
}
