import Engine
import Secrets

/// Ensures that the leader no longer keeps what a former member has not received. A slot that is in use is not dropped,
/// and PostgreSQL says so.
struct NoReplicationSlot: Resource {
    let member: String
    let catalog: PostgresCatalog

    var name: String { "no replication slot of \(member)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let slot = ReplicationSlot.name(of: member)
        guard try facts[catalog].slots.contains(slot) else { return [] }
        let sql: SQLText = """
            SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = \(literal: slot);
            """
        return [Change("drop the replication slot of \(member)", .remove, script: catalog.script(running: sql))]
    }
}
