import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Plays of which the first waits at a gate on one host until somebody opens it, or fails there.
struct Pace: Playbook {
    static let name = "pace"
    static let abstract = "Hosts of different pace."

    @Flag(help: "Let a barrier stand before the second play.")
    var barrier = false

    @Option(help: "The host that waits until somebody writes to /run/drover-gate-TEXT.")
    var slow: String?

    @Option(help: "The host on which the first play fails.")
    var failing: String?

    @Option(help: "Part of the files' names, so that they are written anew.")
    var text = "x"

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("First", on: hosts, tags: ["first"]) { host in
                Marked(
                    file: "/run/drover-first-\(text)", gate: host.name == slow ? "/run/drover-gate-\(text)" : nil,
                    fails: host.name == failing)
            },
            Play("Second", on: hosts, barrier ? .together : .free, tags: ["second"]) { _ in
                Marked(file: "/run/drover-second-\(text)", gate: nil, fails: false)
            },
        ]
    }

    /// Ensures that a file exists, once its gate has been opened.
    private struct Marked: Resource {
        let file: String
        let gate: String?
        let fails: Bool

        var name: String { "mark \(file)" }
        var questions: [any Fact] { [FileStatus(file)] }

        func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
            if try facts[FileStatus(file)] != nil { return [] }
            let beginning: ShellText = gate.map { "mkfifo \(quoting: $0); cat \(quoting: $0)" } ?? ":"
            let end: ShellText = fails ? "echo it cannot be; exit 3" : "touch \(quoting: file)"
            return [Change("mark \(file)", script: "\(beginning)\n\(end)")]
        }
    }
}
