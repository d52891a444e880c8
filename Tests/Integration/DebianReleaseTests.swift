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

extension LabSnapshot {
    /// Hosts of Debian 13 that say that they are Ubuntu 24.04, but for the version of PostgreSQL, which is Debian's.
    fileprivate static let ubuntu = LabSnapshot(
        "ubuntu",
        edits: [("    patroni_cluster_name: lab\n", "    patroni_cluster_name: lab\n    postgresql_version: 17\n")],
        setUp: {
            for host in ["pg1", "pg2", "pg3"] {
                try await TestLab.current.must(
                    on: host,
                    """
                    cat >/etc/os-release <<'END'
                    PRETTY_NAME="Ubuntu 24.04.3 LTS"
                    VERSION_ID="24.04"
                    VERSION_CODENAME=noble
                    ID=ubuntu
                    ID_LIKE=debian
                    END
                    """)
            }
            try await deploy()
        }
    ).on(.trixie)
}

/// What Drover does of itself on Ubuntu. The programs are those of Debian.
@Suite("A cluster on a stand-in for Ubuntu 24.04", .lab(from: .ubuntu))
struct UbuntuStandInTests {
    private var lab: TestLab { TestLab.current }

    @Test("deploy-cluster has set it up once, and looks for PostgreSQL 16 unless the inventory says otherwise")
    func deployment() async throws {
        expectNothingChanged(try await lab.apply())
        try await lab.eventually("status has no findings") { $0.findings.isEmpty }
        let own = try lab.inventory(replacing: [("    postgresql_version: 17\n", "")])
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", own)
        #expect(plan.status == 9, "\(plan.everything)")
        #expect(plan.errors.contains("/var/lib/postgresql/16/main"), "\(plan.errors)")
    }
}
