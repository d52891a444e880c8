import Testing

/// A cluster on hosts with Debian 13. `make smoke RELEASE=trixie` has every flow there.
@Suite("A cluster on Debian 13")
struct DebianReleaseTests {
    private var lab: TestLab { TestLab.current }

    @Test(
        "deploy-cluster sets up PostgreSQL 17, once, and switchover moves its leader, once",
        .lab(from: .deployed.on(.trixie)))
    func deployment() async throws {
        expectNothingChanged(try await lab.apply())
        let target = try await lab.status().leader == "pg2" ? "pg1" : "pg2"
        #expect(try await lab.must(on: target, "cat /var/lib/postgresql/17/main/PG_VERSION") == "17\n")
        #expect(
            try await lab.must(on: target, "ls /usr/local/lib/drover") == "patroni-fence\n",
            "its Patroni needs no correction")
        let words = ["apply", "switchover", "--to", target, "-i", lab.inventory, "--yes"]
        let switchover = try await Command.run(lab.inside(Drover.program) + words)
        try #require(switchover.status == 0, "\(switchover.everything)")
        #expect(try await lab.status().leader == target)
        expectNothingChanged(try await Command.run(lab.inside(Drover.program) + words))
        expectNothingChanged(try await lab.apply())
        try await lab.eventually("status has no findings") { $0.findings.isEmpty }
    }
}
