public import Engine
public import Inventory

extension Plan {
    /// What a playbook would change on hosts that all are as `system`.
    ///
    /// - Parameter inventory: `inventory/hosts.yml` of the package unless another one is given.
    /// - Throws: what the playbook throws, and ``UnansweredFact``.
    public static func of<P: Playbook>(
        _ playbook: P, on system: SampleSystem, inventory: Inventory? = nil
    ) throws -> Plan {
        let inventory = try inventory ?? Inventory.load(file: Installation.path(of: "inventory/hosts.yml"))
        let model = try playbook.model(of: inventory)
        var observed = Observations()
        while true {
            let plays = try playbook.plays(for: model, observed: observed)
            var isComplete = true
            func answer<F: Fact>(_ fact: F, on host: Host) throws {
                guard observed[host].ifKnown(fact) == nil else { return }
                isComplete = false
                try system.answer(fact, in: &observed[host])
            }
            for host in playbook.hosts(of: model) {
                let resources = try plays.filter { $0.hosts.contains { $0.name == host.name } }
                    .flatMap { try $0.resources(on: host) }
                let facts =
                    playbook.questions(of: host, in: model)
                    + resources.flatMap { $0.questions(given: observed[host]) }
                for fact in facts { try answer(fact, on: host) }
            }
            if isComplete {
                return try Plan(
                    plays, observed: observed,
                    confirmation: playbook.confirmation(for: model, observed: observed))
            }
        }
    }

    /// What would be done on a host, in its order: `["install curl", "write /etc/motd"]`.
    public func changes(on host: String) -> [String] {
        stages.flatMap(\.hosts).filter { $0.host.name == host }.flatMap(\.steps).map(\.change.summary)
    }
}
