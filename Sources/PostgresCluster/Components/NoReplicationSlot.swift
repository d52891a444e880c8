import Engine
import Secrets
import SystemResources

/// Ensures that the leader no longer keeps what a former member has not received. A slot that is in use is not dropped,
/// and PostgreSQL says so.
struct NoReplicationSlot: Resource {
    let member: String
    let catalog: PostgresCatalog
    /// The leader's REST API.
    let api: PatroniAPI

    var name: String { "no replication slot of \(member)" }

    var questions: [any Fact] { [catalog, leader, shared] }

    private var leader: HTTPResponse { PatroniStatus.own(at: api) }
    private var shared: HTTPResponse { api.question("/config") }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let slot = ReplicationSlot.name(of: member)
        guard try facts[catalog].slots.contains(slot) else { return [] }
        let sql: SQLText = """
            SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = \(literal: slot);
            """
        let drop = catalog.script(running: sql)
        let retains = try facts[leader].patroni(PatroniStatus.Own.self)?.retainsSlots ?? false
        return [
            Change(
                "drop the replication slot of \(member)", .remove,
                script: retains ? try releasing(slot, retention: facts[shared].json(JSONValue.self)) : drop)
        ]
    }

    /// Shell text that has Patroni drop a slot that it retains: for as long as that takes, it retains none.
    ///
    /// - Parameter configuration: The configuration that the members share, which is restored.
    private func releasing(_ slot: String, retention configuration: JSONValue?) throws -> ShellText {
        let exists: SQLText = "SELECT 'exists' FROM pg_replication_slots WHERE slot_name = \(literal: slot);"
        return """
            trap \(quoting: try retain(configuration?["member_slots_ttl"] ?? .null)) EXIT
            \(try retain(.number(0)))
            deadline=$(( $(date +%s) + 60 ))
            while { \(catalog.script(running: exists))} | grep -q exists; do
                [ "$(date +%s)" -lt "$deadline" ] || { echo "Patroni still retains the slot"; exit 1; }
                sleep 0.2
            done
            """
    }

    private func retain(_ time: JSONValue) throws -> ShellText {
        let body = try DynamicConfiguration.json(of: [.init(path: ["member_slots_ttl"], value: time)])
        return api.send(body, to: "/config", by: "PATCH", "--show-error --fail --output /dev/null")
    }
}
