import ArgumentParser
import Diagnostics
import NIOPosix
import Testing

@testable import Engine
@testable import Inventory

@Suite("HostsPlaybook")
struct HostsPlaybookTests {
    private struct Greeting: HostsPlaybook {
        static let name = "greeting"
        static let abstract = "Greet."

        func plays(for inventory: Inventory) throws -> [Play] {
            [
                Play("Greet", on: inventory.hosts) { try message(on: $0) }
            ]
        }

        private func message(on host: Host) throws -> Wish {
            guard host.name != "wrong" else { throw Diagnostic("'\(host.name)' has no owner") }
            return Wish(name: "motd")
        }
    }

    private struct Silence: Reporter {
        func report(_ event: RunEvent) {}
    }

    private func run(on names: [String]) throws -> Run<Greeting> {
        let inventory = Inventory(file: "hosts.yml", hosts: names.map(Host.named), groups: [], declaredVariables: [])
        let settings = ConnectionSettings(eventLoops: MultiThreadedEventLoopGroup.singleton)
        return try Run(Greeting(), inventory: inventory, settings: settings, reporter: Silence())
    }

    @Test("is about all hosts, and asks nothing but what its resources ask")
    func plain() throws {
        let run = try run(on: ["a", "b"])
        #expect(run.playbook.hosts(of: run.model).map(\.name) == ["a", "b"])
        #expect(run.playbook.questions(of: .named("a"), in: run.model).isEmpty)
        #expect(try run.playbook.plays(for: run.model, observed: Observations()).map(\.name) == ["Greet"])
    }

    @Test("that cannot make its resources is refused before a host is contacted")
    func refused() throws {
        let error = #expect(throws: Diagnostics.self) { try run(on: ["a", "wrong"]) }
        #expect(error?.description == "'wrong' has no owner")
    }
}
