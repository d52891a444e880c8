public import Inventory

/// A playbook for plain hosts: what they shall be follows from the inventory alone, so nothing is asked before the plays
/// are made.
public protocol HostsPlaybook: Playbook where Model == Inventory {
    /// The plays that bring the hosts to the declared state. They, and the resources of each host, are made before any host
    /// is contacted.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory, the options or the templates.
    func plays(for inventory: Inventory) throws -> [Play]
}

extension HostsPlaybook {
    public func model(of inventory: Inventory) -> Inventory { inventory }

    public func hosts(of model: Inventory) -> [Host] { model.hosts }

    public func questions(of host: Host, in model: Inventory) -> [any Fact] { [] }

    public func plays(for model: Inventory, observed: Observations) throws -> [Play] { try plays(for: model) }
}
