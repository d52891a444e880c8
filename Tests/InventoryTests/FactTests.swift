import Diagnostics
@testable import Inventory
import TestSupport
import Testing
import YAML

@Suite("Facts and defaults in expressions")
struct FactTests {
    private static func load(_ variables: String) throws -> Inventory {
        let directory = try TemporaryDirectory([
            "hosts.yml": "all:\n  hosts: { a: , b: }\n  vars:\n" + variables
        ])
        return try Inventory.load(file: "\(directory.path)/hosts.yml")
    }

    private static func text(_ name: String, of host: String, in inventory: Inventory) throws -> String? {
        try inventory.host(named: host).variables[name]?.node.text
    }

    @Test("facts are those of a usual host until the hosts have told theirs")
    func facts() throws {
        let inventory = try Self.load(
            "    size: '{{ (ansible_memtotal_mb * 0.25) | int }}MB'\n    plain: 1\n    card: '{{ ansible_default_ipv4.interface }}'\n"
        )
        #expect(inventory.takesFacts)
        #expect(try Self.text("size", of: "a", in: inventory) == "1024MB")
        var facts = HostFacts()
        facts.memory = 8000
        facts.interface = "ens3"
        let bound = inventory.bound(to: ["a": facts])
        #expect(try Self.text("size", of: "a", in: bound) == "2000MB")
        #expect(try Self.text("card", of: "a", in: bound) == "ens3")
        #expect(try inventory.host(named: "a").listing.contains("{{ (ansible_memtotal_mb"))
        #expect(!(try Self.load("    plain: 1\n").takesFacts))
    }

    @Test("facts that differ from host to host do not make a variable of all hosts contradict itself")
    func differing() throws {
        let inventory = try Self.load("    size: '{{ ansible_memtotal_mb }}'\n")
        var (small, large) = (HostFacts(), HostFacts())
        (small.memory, large.memory) = (1000, 2000)
        var variables = Variables(of: inventory.bound(to: ["a": small, "b": large]))
        #expect(variables.optional("size", as: Int.self) == 1000)
        #expect(variables.diagnostics.isEmpty)
    }

    @Test("what no file sets may have a default, which may refer to others")
    func defaults() throws {
        let inventory = try Self.load("    path: '{{ data }}/x'\n    version: 17\n")
        let completed = inventory.completed(with: ["data": "'/srv/{{ version }}/{{ cluster }}'", "cluster": "main"])
        #expect(try Self.text("path", of: "a", in: completed) == "/srv/17/main/x")
        let variable = try #require(try inventory.host(named: "a").variables["path"])
        #expect(!variable.faults.isEmpty)
    }
}
