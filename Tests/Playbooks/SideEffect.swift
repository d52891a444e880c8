import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// The first play also does what the third one wants, which no resource can know beforehand; between them stands a play that
/// has nothing to do.
struct SideEffect: Playbook {
    static let name = "side-effect"
    static let abstract = "A play that does more than it says."

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("First", on: hosts) { _ in Made(file: "/run/drover-cause", script: "touch /run/drover-effect") },
            Play("Nothing", on: hosts) { _ in Directory("/etc") },
            Play("Third", on: hosts) { _ in
                Made(file: "/run/drover-effect", script: "echo it was there already; exit 1")
            },
        ]
    }

    /// Ensures that a file exists.
    private struct Made: Resource {
        let file: String
        let script: ShellText

        var name: String { "make \(file)" }
        var questions: [any Fact] { [FileStatus(file)] }

        func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
            if try facts[FileStatus(file)] != nil { return [] }
            return [Change("make \(file)", script: "\(script)\ntouch \(quoting: file)")]
        }
    }
}
