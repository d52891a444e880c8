import Foundation
import Testing

@Suite("Reload of HAProxy", .lab(from: .deployed))
struct BalancerReloadTests {
    private var lab: TestLab { TestLab.current }

    /// After a reload, HAProxy takes the leader for a replica until it has checked it, and then ends its sessions.
    @Test("no statement of a reading client fails")
    func reading() async throws {
        let balancer = try #require(try await lab.status().balancers.first(where: \.holdsAddress)?.name)
        let clients = try await ReadingClients.start(4, on: balancer, of: lab, "SELECT pg_sleep(0.1)")
        for _ in 1...10 {
            try await lab.must(on: balancer, "systemctl reload haproxy")
            try await clients.goOn()
        }
        #expect(try await clients.end() == "")
    }
}
