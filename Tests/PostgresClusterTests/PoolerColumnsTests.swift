import Testing

@testable import PostgresCluster

@Suite("The tables of PgBouncer")
struct PoolerColumnsTests {
    /// What PgBouncer 1.24.1 of Debian 13 prints, without the columns at the end.
    private static let clients = """
        type|user|database|replication|state|addr|port|local_addr|local_port|connect_time|request_time|wait|wait_us
        C|app|app|none|waiting|10.70.0.11|34804|10.70.0.12|6432|2026-11-25 03:47:31 UTC|2026-11-25 03:47:31 UTC|7|923167
        C|app|app|none|active|10.70.0.11|34802|10.70.0.12|6432|2026-11-25 03:47:31 UTC|2026-11-25 03:47:31 UTC|0|923167
        C|pgbouncer|pgbouncer|none|active|unix|6432|unix|6432|2026-11-25 03:47:32 UTC|2026-11-25 03:47:32 UTC|0|0

        """
    private static let servers = """
        type|user|database|replication|state|addr|port|local_addr|local_port|connect_time|request_time|wait|wait_us
        S|app|app|none|active|127.0.0.1|5432|127.0.0.1|49144|2026-11-25 03:47:31 UTC|2026-11-25 03:47:31 UTC|0|0
        S|pgbouncer|app|none|idle|127.0.0.1|5432|127.0.0.1|49142|2026-11-25 03:47:31 UTC|2026-11-25 03:47:31 UTC|0|0

        """

    @Test("the columns of a version are found by their names")
    func names() throws {
        let header = try #require(PoolerColumns(header: ["type", "user", "replication", "state"]))
        #expect(header.value(of: "state", in: ["C", "app", "none", "waiting"]) == "waiting")
        #expect(header.value(of: "state", in: ["C", "app"]) == nil)
        #expect(header.value(of: "addr", in: ["C", "app", "none", "waiting"]) == nil)
        #expect(PoolerColumns(header: ["C", "app", "none", "waiting"]) == nil)
    }

    @Test("who uses the pooler of Debian 13")
    func use() throws {
        let question = MemberUse(of: try Sample.configuration())
        let output = "question\n" + Self.clients + Self.servers
        let answer = try #require(MemberUse.answers(to: [question], from: output)[question])
        #expect(answer.poolerClients == [.init(user: "app", database: "app", address: "10.70.0.11"): 2])
        #expect(
            answer.poolerServers == [
                .init(user: "app", database: "app"): 1, .init(user: "pgbouncer", database: "app"): 1,
            ])
        for rows in ["C|app|app|active|10.0.0.1\n", Self.clients + "question\nC|app|app|active|10.0.0.1\n"] {
            #expect(throws: (any Error).self) { try MemberUse.answers(to: [question], from: "question\n" + rows) }
        }
    }

    @Test("who waits at the pooler of Debian 13")
    func health() throws {
        let question = MemberHealth(of: try Sample.configuration())
        let answer = try #require(MemberHealth.answers(to: [question], from: "question\n" + Self.clients)[question])
        #expect(answer.hasPooler)
        #expect(answer.waiting == .init(clients: 1, seconds: 7))
        #expect(throws: (any Error).self) { try MemberHealth.answers(to: [question], from: "question\nC|app|app|x\n") }
    }
}
