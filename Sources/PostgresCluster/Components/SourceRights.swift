import Engine

/// Tells of the rights that the roles of a standby cluster lack. They are granted in the cluster that it follows.
struct SourceRights: Resource {
    let pooler: String
    let replication: String
    let catalog: PostgresCatalog

    var name: String { "rights from the source cluster" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) -> [Change] { [] }

    func notices(given facts: Facts) throws -> [String] {
        let catalogue = try facts[catalog]
        guard catalogue.isRunning else { return [] }
        let remedy = "apply deploy-cluster to the source cluster"
        return [
            catalogue.lookups.contains("postgres")
                ? nil : "the role \(pooler) may not look up passwords, so the pooler serves no client: \(remedy)",
            catalogue.rewinders.contains(replication)
                ? nil : "the role \(replication) may not read what pg_rewind reads: \(remedy)",
        ].compactMap(\.self)
    }
}
