import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// A file, and a resource whose step does not do what it says.
struct Liar: Playbook {
    static let name = "liar"
    static let abstract = "A resource that never converges."

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("Lie", on: hosts) { _ in
                File("/etc/drover-honest", containing: "true\n")
                Unwritten()
            }
        ]
    }

    /// Says that it writes a file.
    private struct Unwritten: Resource {
        let name = "lie /etc/drover-lie"
        var questions: [any Fact] { [FileStatus("/etc/drover-lie")] }

        func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
            try facts[FileStatus("/etc/drover-lie")] == nil ? [Change("write /etc/drover-lie", script: ":")] : []
        }
    }
}
