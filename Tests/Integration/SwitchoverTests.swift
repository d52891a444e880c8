import Foundation
import Subprocess
import Testing

/// What a client of a cluster in synchronous mode notices when the leader is switched over, or its PostgreSQL restarts.
@Suite("Switchover", .lab(from: .synchronous))
struct SwitchoverTests: FailoverClient {
    @Test(
        "switchover refuses a target with the tag nofailover, and a paused cluster: exit code 9; a wrong name: exit code 1"
    )
    func refusals() async throws {
        try await lab.makeLeader("pg1")
        let refused = try await switchover("--to", "pg3")
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.errors.contains("pg3 has the tag nofailover"), "\(refused.errors)")
        let wrong = try await switchover("--to", "pg4")
        #expect(wrong.status == 1, "\(wrong.everything)")
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml pause --wait lab")
        let paused = try await switchover("--to", "pg2")
        #expect(paused.status == 9, "\(paused.everything)")
    }

    @Test(
        "a switchover fails no statement, not even if Drover is killed; the next run finishes it, and one more changes nothing"
    )
    func plannedSwitchover() async throws {
        try await startClient()
        try await settled()
        try await lab.makeLeader("pg1")
        expectNothingChanged(try await switchover("--to", "pg1"))
        let plan = try await lab.drover("plan", "switchover", "--to", "pg2", "-i", lab.inventory)
        let result = try await switchover("--to", "pg2")
        #expect(result.status == 0, "\(result.everything)")
        // There may have been a checkpoint just before.
        let steps = Steps.applied(in: result.output).subtracting(["pg1: make a checkpoint"])
        #expect(steps.isSubset(of: Steps.planned(in: plan.output)), "\(result.output)")
        expectNothingChanged(try await switchover("--to", "pg2"))
        #expect(try await lab.status().leader == "pg2")

        // Without a name the target is the member of the group 'master'.
        let command = lab.inside(Drover.program) + ["apply", "switchover", "-i", lab.inventory, "--yes"]
        let killed = try await RunningProgram.run(command) { line, program in
            if line.contains("✓ pg2: pause PgBouncer") { try program.send(.kill) }
        }
        #expect(killed.status == 137, "\(killed.everything)")
        let again = try await switchover()
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await switchover())
        #expect(try await lab.status().leader == "pg1")
        try await expectNoFailedStatement()
        try await expectWhole()
    }

    @Test("a smaller limit takes effect without a pending restart or a failed statement; a reload restarts nothing")
    func parameters() async throws {
        try await startClient()
        try await settled()
        try await lab.makeLeader("pg1")
        let limit = "      - { option: max_connections, value: 200 }\n"
        let smallerLimit = "      - { option: max_connections, value: 150 }\n"
        let smaller = try lab.inventory(replacing: [(limit, smallerLimit)])
        try await useAnotherDatabase()
        let result = try await lab.apply(smaller, "--restart", "rolling")
        #expect(result.status == 0, "\(result.everything)")
        let order = result.output.linesOfOutput.filter { $0.contains("✓") && $0.contains(": restart PostgreSQL") }
        #expect(order.first?.contains("pg1") == true && order.count == 3, "the leader first: \(order)")
        try await useAnotherDatabase()
        expectNothingChanged(try await lab.apply(smaller, "--restart", "rolling"))
        for host in hosts {
            #expect(try await show("max_connections", on: host) == "150\n")
            #expect(!(try await lab.must(on: host, lab.patroni(of: host))).contains("pending"))
        }
        let starts = try await serverStarts()
        let withMemory = try lab.inventory(replacing: [
            (limit, smallerLimit + "      - { option: work_mem, value: 5MB }\n")
        ])
        let reloaded = try await lab.apply(withMemory, "--restart", "rolling")
        #expect(reloaded.status == 0, "\(reloaded.everything)")
        for host in hosts {
            try await lab.must(on: host, "until \(shown("work_mem")) | grep -qx 5MB; do sleep 0.1; done")
        }
        #expect(try await serverStarts() == starts)
        try await expectNoFailedStatement()

        // A larger limit: the replicas restart first, then another member becomes the leader.
        let larger = try await lab.apply(lab.inventory, "--restart", "rolling")
        #expect(larger.status == 0, "\(larger.everything)")
        #expect(larger.output.contains("switch over from pg1 to pg2"), "\(larger.output)")
        #expect(try await show("max_connections", on: "pg1") == "200\n")
        try await expectNoFailedStatement()
        try await expectWhole()
    }

    // MARK: What the tests do and look at

    /// Opens a pool of PgBouncer that no other client uses. PgBouncer removes it when it has closed its connections.
    private func useAnotherDatabase() async throws {
        let query = "psql -h 10.70.0.100 -p 5000 -U app -XAtqc 'SELECT 1' postgres"
        try await lab.must(on: "pg3", "PGPASSWORD=\(lab.password(of: "app")) PGCONNECT_TIMEOUT=10 \(query)")
    }

    private func expectNoFailedStatement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await lab.must(on: "pg3", "cat /tmp/failed") == "", sourceLocation: sourceLocation)
    }

    private func shown(_ parameter: String) -> String {
        "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SHOW \(parameter)'"
    }

    private func show(_ parameter: String, on host: String) async throws -> String {
        try await lab.must(on: host, shown(parameter))
    }

    private func serverStarts() async throws -> [String] {
        var starts: [String] = []
        for host in hosts {
            starts.append(
                try await lab.must(
                    on: host,
                    "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT pg_postmaster_start_time()'"))
        }
        return starts
    }
}
