import Testing

@testable import Lab

@Suite("The network of a lab")
struct LabNetworkTests {
    @Test("tells from what ip prints which cables are in")
    func ports() {
        let listing = """
            pg1@if2          UP             5e:1c:8b:a6:01:02 <BROADCAST,MULTICAST,UP,LOWER_UP>
            pg2@if2          DOWN           5e:1c:8b:a6:01:03 <BROADCAST,MULTICAST>
            pg3@if2          LOWERLAYERDOWN 5e:1c:8b:a6:01:04 <NO-CARRIER,BROADCAST,MULTICAST,UP,M-DOWN>

            """
        #expect(
            LabNetwork.ports(in: listing) == [
                LabNetwork.Port(name: "pg1", isConnected: true),
                LabNetwork.Port(name: "pg2", isConnected: false),
                LabNetwork.Port(name: "pg3", isConnected: true),
            ])
        #expect(LabNetwork.ports(in: "").isEmpty)
    }

    @Test(
        "gives each host a network card of its own, always the same",
        arguments: [("10.70.0.11", "02:00:0a:46:00:0b"), ("10.70.0.90", "02:00:0a:46:00:5a")])
    func hardwareAddress(address: String, expected: String) {
        #expect(LabNetwork.hardwareAddress(ofHostAt: address) == expected)
    }

    @Test("plugs a host's cable into the bridge")
    func cable() {
        #expect(
            LabNetwork.cableCommands(port: "pg2", namespace: "drover-lab.pg2", address: "10.70.0.12") == """
                link add pg2 master lab up type veth peer name eth0 address 02:00:0a:46:00:0c netns drover-lab.pg2

                """)
    }
}
