import Testing

/// A cluster that is as declared: what another run costs, how its daemons are protected, and what status reports.
@Suite("A converged cluster")
struct ConvergedClusterTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    @Test(
        "apply changes nothing, restarts nothing and takes less than three seconds",
        .lab(from: .deployed, alone: true))
    func secondRun() async throws {
        let before = try await lab.startTimes(of: hosts)
        let clock = ContinuousClock()
        var durations: [Duration] = []
        for _ in 1...3 {
            let start = clock.now
            let result = try await lab.apply()
            durations.append(clock.now - start)
            #expect(result.status == 0, "\(result.everything)")
            expectNothingChanged(result)
        }
        #expect(try #require(durations.min()) < .seconds(3), "\(durations)")
        #expect(try await lab.startTimes(of: hosts) == before)
    }

    @Test("a host costs one connection, few round trips, bytes and programs", .lab(from: .deployed))
    func costs() async throws {
        // The first run after a boot writes what later runs read.
        expectNothingChanged(try await lab.apply())
        let trace = try await ProgramTrace.begin(on: "pg2", in: lab)
        let result = try await lab.apply(nil, "--stats")
        let programs = try await trace.end()
        expectNothingChanged(result)
        let line = try #require(result.output.linesOfOutput.last { $0.hasPrefix("pg2  connections=") })
        let counts = Dictionary(
            uniqueKeysWithValues: line.split(separator: " ").dropFirst().map { word in
                let parts = word.split(separator: "=")
                return (String(parts[0]), Int(parts[1]) ?? .max)
            })
        #expect(counts["connections"] == 1)
        #expect(try #require(counts["exchanges"]) <= 3)
        #expect(try #require(counts["sent"]) < 64 * 1024)
        #expect(programs.count > 5)
        // Two of them read the public keys, six Patroni's file anew, with the rights of its owner: its content depends on the
        // memory of the host.
        #expect(programs.count < 27, "\(programs)")
    }

    @Test(
        "Patroni runs with its correction and its fence, and the kernel ends a backend when memory runs out",
        .lab(from: .deployed))
    func protection() async throws {
        // Nothing here may lower the score of a process, so the postmaster's is raised: a backend sets its own back all the same.
        let score = "/proc/$(head -n 1 /var/lib/postgresql/15/main/postmaster.pid)/oom_score_adj"
        let read = "SELECT pg_read_file('/proc/self/oom_score_adj')"
        for host in hosts {
            let found = try await lab.must(
                on: host,
                """
                journalctl --unit=patroni --output=cat | grep -q '^Drover has corrected' && echo corrected
                systemctl is-active patroni-fence
                systemctl show --property=OOMPolicy --value patroni
                systemctl show --property=OOMScoreAdjust --value patroni
                echo 100 >\(score)
                runuser -u postgres -- psql -h /var/run/postgresql -XAtqc "\(read)" | grep .
                echo 0 >\(score)
                """)
            #expect(found == "corrected\nactive\ncontinue\n-900\n0\n", "\(host)")
        }
    }

    @Test(
        "status reports what endangers the cluster, the worst first, and exits with 2 when asked to",
        .lab(from: .deployed))
    func health() async throws {
        let leader = try #require(try await lab.status().leader)
        try await lab.leaderSQL(
            """
            ALTER SYSTEM SET fsync = off;
            ALTER SYSTEM SET synchronous_standby_names = '*';
            SELECT pg_reload_conf();
            CREATE SEQUENCE small AS smallint;
            SELECT setval('small', 30000);
            """, in: "app")
        let found = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(found.status == 2, "\(found.everything)")
        for finding in [
            "critical  fsync is off on \(leader): a host that loses its power loses the database",
            "critical  92 % of the numbers of the sequence app.public.small are used up",
            "warning   synchronous_standby_names is '*' on \(leader)",
        ] {
            #expect(found.output.contains(finding), "\(found.output)")
        }
        try await lab.leaderSQL(
            """
            ALTER SYSTEM RESET fsync;
            ALTER SYSTEM RESET synchronous_standby_names;
            SELECT pg_reload_conf();
            DROP SEQUENCE small;
            """, in: "app")
        try await lab.eventually("status has no findings") { $0.findings.isEmpty }
        let well = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(well.status == 0, "\(well.everything)")
    }
}
