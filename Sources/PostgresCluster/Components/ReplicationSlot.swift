import Drover
import Secrets

/// Ensures that the leader keeps what a replica has not received yet, from before the replica is cloned.
///
/// Patroni makes the slots itself, but only when its loop comes round; until then, for up to `loop_wait` seconds, a new
/// replica would not stream.
struct ReplicationSlot: Resource {
    let member: String
    let catalog: PostgresCatalog

    var name: String { "replication slot of \(member)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let slot = ReplicationSlot.name(of: member)
        if try facts[catalog].slots.contains(slot) { return [] }
        // Patroni makes it too, and may have done so since: after a failover, for instance.
        let sql = """
            DO $$ BEGIN
                PERFORM pg_create_physical_replication_slot(\(SQL.literal(slot)), true);
            EXCEPTION WHEN duplicate_object THEN NULL;
            END $$;
            """
        return [Change("create the replication slot of \(member)", script: catalog.script(running: MaskedText(sql)))]
    }

    /// The name that Patroni gives the slot of a member: in lower case, `-` and `.` as `_`, anything else by its code
    /// point, at most 63 characters (Patroni 3.0.2, `slot_name_from_member_name`).
    static func name(of member: String) -> String {
        let characters = member.lowercased().unicodeScalars.map { scalar -> String in
            switch scalar {
            case "a"..."z", "0"..."9", "_": return String(scalar)
            case "-", ".": return "_"
            default:
                let code = String(scalar.value, radix: 16)
                return "u" + String(repeating: "0", count: max(0, 4 - code.count)) + code
            }
        }
        return String(characters.joined().prefix(63))
    }
}
