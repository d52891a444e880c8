import Testing

/// A cluster in which something failed: what apply repairs, and what it refuses to touch.
@Suite("deploy-cluster after faults", .lab(from: .deployed))
struct FaultyClusterTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    @Test("apply changes nothing after the leader's host failed and came back")
    func failover() async throws {
        try await lab.appSQL("CREATE TABLE notes AS SELECT 1 AS number")
        let leader = try #require(try await lab.status().leader)
        try await lab.fault("kill", leader)
        try await lab.eventually("another member is the leader") {
            $0.leader.map { $0 != leader } ?? false
        }
        try await lab.fault("start", leader)
        try await lab.eventually("the former leader streams") { status in
            let timelines = Set(status.members.map(\.timeline))
            return status.findings.isEmpty && timelines.count == 1 && !timelines.contains(nil)
                && status.members.allSatisfy { $0.role == "leader" || $0.lag == 0 }
        }
        let result = try await lab.apply()
        expectNothingChanged(result)
        #expect(try await lab.appSQL("SELECT count(*) FROM notes") == "1\n")
    }

    @Test("a failed step ends the run with its error, and the next run finishes the job")
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

    @Test("a wait for a failed daemon ends early and quotes its journal")
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

    @Test("apply starts a cluster whose members are all stopped")
    func everythingStopped() async throws {
        try await lab.appSQL("CREATE TABLE notes AS SELECT 1 AS number")
        let leader = try #require(try await lab.status().leader)
        for host in hosts.filter({ $0 != leader }) + [leader] { try await lab.must(on: host, "systemctl stop patroni") }
        let result = try await lab.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await lab.appSQL("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    @Test("apply refuses a cluster that etcd does not know: exit code 9")
    func partial() async throws {
        try await lab.appSQL("CREATE TABLE notes AS SELECT 1 AS number")
        let leader = try #require(try await lab.status().leader)
        // The leader last: otherwise another member would be promoted meanwhile, to another timeline.
        for host in hosts.filter({ $0 != leader }) + [leader] { try await lab.must(on: host, "systemctl stop patroni") }
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) del --prefix /service/lab/")
        let before = try await lab.startTimes(of: hosts)
        let result = try await lab.apply()
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("the cluster 'lab' exists only in parts"), "\(result.errors)")
        #expect(try await lab.startTimes(of: hosts) == before)

        // The second remedy that the refusal names.
        try await lab.must(on: leader, "systemctl start patroni")
        try await lab.eventually("the member is the leader again") { $0.leader == leader }
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
        #expect(try await lab.appSQL("SELECT count(*) FROM notes") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    @Test("apply refuses a database of another cluster: exit code 9")
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
    }
}
