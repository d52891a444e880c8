public import Diagnostics
public import Inventory

/// What becomes of each variable of an inventory when a cluster is made of it.
public struct VariableReview: Sendable {
    /// The names that the cluster's configuration takes, sorted.
    public let understood: [String]
    /// Those to which others refer, and which mean nothing by themselves, sorted.
    public let referred: [String]
    /// Those of postgresql_cluster that have no meaning here, each with the reason.
    public let unsupported: [(variable: Variable, reason: String)]
    /// Whatever else is wrong, such as unknown names.
    public let faults: Diagnostics

    /// Decodes the whole configuration, so that it can be told by what is asked for.
    public init(of inventory: Inventory) throws {
        var variables = Variables(of: inventory)
        var faults = Diagnostics()
        _ = try faults.collect { try ClusterConfiguration(inventory, &variables) }
        let declared = inventory.declaredVariables
        let names = Set(declared.map(\.name))
        understood = names.filter(variables.isAsked).sorted()
        let reached = variables.referred
        referred = names.filter { !variables.isAsked($0) && reached.contains($0) }.sorted()
        // What looks like a slip of the pen is told as one.
        let slips = Set(faults.all.filter { $0.message.hasPrefix("unknown variable") }.compactMap(\.location))
        let asked = variables
        unsupported = declared.filter { variable in
            !asked.isAsked(variable.name) && !reached.contains(variable.name) && !slips.contains(variable.location)
        }.compactMap { variable in ForeignVariables.reason(for: variable.name).map { (variable, $0) } }
        let places = Set(unsupported.map(\.variable.location))
        self.faults = Diagnostics(faults.all.filter { fault in fault.location.map { !places.contains($0) } ?? true })
    }
}
