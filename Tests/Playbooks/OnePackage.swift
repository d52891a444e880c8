import ArgumentParser
import Engine
import Inventory
import SystemResources

/// A package.
struct OnePackage: Playbook {
    static let name = "one-package"
    static let abstract = "Install a package."

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [Play("Install", on: hosts) { _ in Packages(["sudo"]) }]
    }
}
