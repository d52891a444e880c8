import Testing

/// What goes wrong with a cluster, and what must not be touched. Each test leaves it whole.
extension DeployClusterTests {
    // MARK: Faults

    @Test("after the leader's host was lost and came back, apply still changes nothing")
    func failover() async throws {
        try await lab.fault("kill", "pg1")
        try await lab.eventually("another member leads") {
            $0.leader.map { $0 != "pg1" } ?? false
        }
        try await lab.fault("start", "pg1")
        try await lab.eventually("pg1 follows") { status in
            let timelines = Set(status.members.map(\.timeline))
            return status.findings.isEmpty && timelines.count == 1 && !timelines.contains(nil)
                && status.members.allSatisfy { $0.role == "leader" || $0.lag == 0 }
        }
        let result = try await lab.apply()
        expectNothingChanged(result)
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
    }

    @Test("a failed step ends the later plays, tells what happened, and the next run finishes the job")
    func failedStep() async throws {
        try await lab.must(
            on: "pg2", "systemctl stop haproxy; systemd-run --quiet --unit blocker python3 -m http.server 5000")
        try await lab.must(on: "pg3", "systemctl stop keepalived")
        try await lab.must(on: "pg2", "until curl -s -o /dev/null 127.0.0.1:5000; do sleep 0.1; done")
        let refused = try await lab.apply()
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.errors.contains("ports: pg2: python3 of blocker.service already listens at port 5000"))
        let result = try await lab.apply(nil, "--skip-preflight", "ports")
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.output.contains("✗ pg2: start haproxy"), "\(result.output)")
        #expect(result.output.contains("cannot bind socket (Address already in use)"), "\(result.output)")
        #expect(try await lab.shell(on: "pg3", "systemctl is-active keepalived").status != 0)

        try await lab.must(on: "pg2", "systemctl stop blocker")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        try await lab.must(on: "pg3", "systemctl is-active keepalived")
        expectNothingChanged(try await lab.apply())
    }

    @Test("waiting for what has failed ends early and quotes the journal")
    func failedCondition() async throws {
        let replica = try #require(try await lab.status().members.first { $0.role == "replica" }?.name)
        let file = "/var/lib/postgresql/15/main/postgresql.base.conf"
        try await lab.must(on: replica, "systemctl stop patroni; echo 'no_such_parameter = 1' >>\(file)")
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await lab.apply()
        #expect(clock.now - start < .seconds(120), "it would wait for an hour")
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.output.contains("✗ \(replica): wait until PostgreSQL leads or streams"), "\(result.output)")
        #expect(result.output.contains("no_such_parameter"), "\(result.output)")

        try await lab.must(on: replica, "systemctl stop patroni; sed -i /no_such_parameter/d \(file)")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await lab.apply())
    }

    // MARK: What must not be touched

    @Test("a cluster of which the store knows nothing is refused: exit code 9")
    func partial() async throws {
        let leader = try #require(try await lab.status().leader)
        // The leader last: otherwise another member would take over meanwhile, and there would be two histories.
        for host in hosts.filter({ $0 != leader }) + [leader] { try await lab.must(on: host, "systemctl stop patroni") }
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) del --prefix /service/lab/")
        let before = try await startTimes()
        let result = try await lab.apply()
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("the cluster 'lab' exists only in parts"), "\(result.errors)")
        #expect(try await startTimes() == before)

        // The second remedy that the refusal names.
        try await lab.must(on: leader, "systemctl start patroni")
        try await lab.eventually("the old leader leads again") { $0.leader == leader }
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        #expect(try await sql("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    @Test("a foreign database is refused: exit code 9")
    func foreign() async throws {
        let replica = try #require(try await lab.status().members.first { $0.role == "replica" }?.name)
        let data = "/var/lib/postgresql/15/main"
        try await lab.must(
            on: replica,
            """
            systemctl stop patroni && mv \(data) \(data).kept
            runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb -D \(data) >/dev/null
            """)
        let result = try await lab.apply()
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("what was found is not the cluster 'lab'"), "\(result.errors)")
        #expect(try await lab.shell(on: replica, "systemctl is-active patroni").status != 0)
        try await lab.must(on: replica, "rm -r \(data) && mv \(data).kept \(data)")
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
    }
}
