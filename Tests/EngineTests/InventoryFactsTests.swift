import Inventory
import Testing

@testable import Engine

@Suite("Facts for expressions of an inventory")
struct InventoryFactsTests {
    @Test("are read from what the shell text prints")
    func reads() throws {
        let output = """
            name\tpg1
            kernel\t6.1.0-40-amd64
            architecture\tx86_64
            domain\texample.com
            distribution\tdebian
            version\t12
            codeName\tbookworm
            timeZone\tUTC
            processors\t4
            MemTotal\t8148716
            SwapTotal\t0
            route\tdefault via 10.70.0.1 dev ens3 proto static
            address\teth9 192.168.1.5/24
            address\tens3 10.70.0.11/16

            """
        let facts = try #require(try InventoryFacts.answers(to: [InventoryFacts()], from: output)[InventoryFacts()])
        #expect(facts.interface == "ens3" && facts.address == "10.70.0.11" && facts.prefix == 16)
        #expect(facts.gateway == "10.70.0.1" && facts.memory == 7957 && facts.processors == 4)
        #expect(facts.hostName == "pg1" && facts.codeName == "bookworm")
        #expect(facts.addresses == ["192.168.1.5", "10.70.0.11"])
    }

    @Test("of a host without a default route are those of its first interface")
    func withoutRoute() throws {
        let output = "name\tpg1\nroute\t\naddress\teth0 10.70.0.11/24\n"
        let facts = try #require(try InventoryFacts.answers(to: [InventoryFacts()], from: output)[InventoryFacts()])
        #expect(facts.interface == "eth0" && facts.address == "10.70.0.11")
    }
}
