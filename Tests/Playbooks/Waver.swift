import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Drover waits for a condition, which a later play breaks until Drover waits for it again.
struct Waver: Playbook {
    static let name = "waver"
    static let abstract = "A condition that does not hold for a while."

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("Wait", on: hosts) { _ in
                Condition(
                    "it is steady", signs: [FileStatus("/run/drover-steady")],
                    // The first look of a wait repairs it, for the second one.
                    test: "[ -e /run/drover-steady ] || { mv /run/drover-waiting /run/drover-steady; false; }",
                    unit: "ssh.service", timeout: 30
                ) { facts in try facts[FileStatus("/run/drover-steady")] != nil }
            },
            Play("Disturb", on: hosts) { _ in Disturbance() },
        ]
    }

    /// Breaks the condition.
    private struct Disturbance: Resource {
        let name = "disturbance"
        var questions: [any Fact] { [FileStatus("/run/drover-disturbed")] }

        func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
            if try facts[FileStatus("/run/drover-disturbed")] != nil { return [] }
            let script: ShellText = "touch /run/drover-disturbed; mv /run/drover-steady /run/drover-waiting"
            return [Change("disturb", script: script)]
        }
    }
}
