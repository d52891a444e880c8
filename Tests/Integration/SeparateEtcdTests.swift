import Testing

extension LabSnapshot {
    /// etcd on pg1, pg2 and pg3, the balancers on pg1 and pg2, PostgreSQL on pg4 and pg5. Packets that the inventory does not
    /// want are refused.
    fileprivate static let separate: LabSnapshot = .init(
        "separate", hosts: 5,
        setUp: {
            let result = try await TestLab.current.apply(SeparateEtcdTests.inventory())
            try #require(result.status == 0, "\(result.everything)")
        },
        settle: SeparateEtcdTests.awaitCluster)
}

/// A cluster of which each part has hosts of its own, and accepts packets only from the parts that use it.
@Suite("etcd on hosts of its own", .lab(from: .separate))
struct SeparateEtcdTests {
    private var lab: TestLab { TestLab.current }
    private static let etcd = ["pg1", "pg2", "pg3"]

    fileprivate static func inventory() throws -> String {
        try TestLab.current.inventory(
            named: "separate",
            with: ["patroni_preset: fast", "firewall_enabled_at_boot: true", "monitoring_install: true"],
            groups: [("etcd_cluster", etcd), ("balancers", ["pg1", "pg2"]), ("master", ["pg4"]), ("replica", ["pg5"])])
    }

    @Sendable fileprivate static func awaitCluster() async throws {
        try await TestLab.current.awaitPatroni(on: "pg4")
        try await TestLab.current.eventually("the cluster has no findings", inventory: inventory()) { status in
            status.findings.isEmpty && status.leader != nil
        }
    }

    private func apply() async throws -> Command { try await lab.apply(Self.inventory()) }

    /// Runs SQL as a client on a host outside the cluster.
    @discardableResult
    private func sql(_ statement: String, port: Int = 5000) async throws -> Command {
        try await Command.run(
            lab.inside("env") + [
                "PGPASSWORD=\(lab.password(of: "app"))", "PGCONNECT_TIMEOUT=5", "psql", "-h", "10.70.0.100", "-p",
                "\(port)", "-U", "app", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, "app",
            ])
    }

    private func createNotes() async throws {
        let created = try await sql("CREATE TABLE notes (text text); INSERT INTO notes VALUES ('first')")
        try #require(created.status == 0, "\(created.everything)")
    }

    private func write(_ text: String) async throws {
        let written = try await sql("INSERT INTO notes VALUES ('\(text)')")
        let account = written.status == 0 ? "" : try await account()
        #expect(written.status == 0, "\(written.everything)\(account)")
    }

    /// The state of each host and daemon on the route of a statement.
    private func account() async throws -> String {
        var account = try await Command.run(lab.inside("ip") + ["neighbour", "show"]).output
        for host in ["pg1", "pg2"] {
            account += try await lab.shell(
                on: host,
                """
                echo; echo "\(host): $(date +%T.%N)"; hostname -I; ip neighbour show; cat /sys/class/net/*/address
                journalctl --unit=keepalived --unit=haproxy --no-pager --output=short-precise | tail -n 30
                curl --silent 'http://127.0.0.1:7000/;csv' | cut -d , -f 1,2,5,18,37; ss -tno
                """
            ).everything
        }
        for host in ["pg4", "pg5"] {
            account += try await lab.shell(
                on: host,
                """
                echo; echo "\(host): $(date +%T.%N)"; ip neighbour show; cat /sys/class/net/*/address
                tail -n 30 /var/log/postgresql/pgbouncer.log; ss -tno
                """
            ).everything
        }
        return account
    }

    private func leader() async throws -> String {
        try #require(try await lab.status(Self.inventory()).leader)
    }

    @Test("each host runs its part and no other, SQL passes through the VIP, and nothing is to be changed")
    func parts() async throws {
        expectNothingChanged(try await apply())
        let units = "for unit in etcd haproxy patroni; do systemctl is-active --quiet $unit && echo $unit; done; true"
        let parts = ["pg2": ["etcd", "haproxy"], "pg3": ["etcd"], "pg5": ["patroni"]]
        for (host, part) in parts {
            #expect(try await lab.must(on: host, units).linesOfOutput == part, "\(host)")
        }
        try await createNotes()
        let read = try await sql("SELECT text, pg_is_in_recovery(), inet_server_port() FROM notes", port: 5001)
        #expect(read.output.hasPrefix("first|t|"), "\(read.everything)")
        // etcd accepts no packets from outside the cluster.
        let stranger = try await Command.run(lab.inside("curl") + ["-sk", "-m", "2", "https://10.70.0.13:2379/health"])
        #expect(stranger.status == 28, "\(stranger.everything)")
    }

    @Test("a switchover leaves nothing to be changed")
    func switchover() async throws {
        let target = try await leader() == "pg4" ? "pg5" : "pg4"
        let result = try await lab.drover("apply", "switchover", "--to", target, "-i", Self.inventory(), "--yes")
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply())
        #expect(try await leader() == target)
    }

    @Test("the cluster survives the loss of the leader and of a balancer with etcd at once, and takes both hosts back")
    func lossOfTwo() async throws {
        try await createNotes()
        let leader = try await leader()
        let other = leader == "pg4" ? "pg5" : "pg4"
        let holder = try #require(try await lab.status(Self.inventory()).balancers.first { $0.holdsAddress }?.name)
        try await lab.fault("kill", leader)
        try await lab.fault("kill", holder)
        try await lab.eventually("the replica leads, at the other balancer", inventory: Self.inventory()) { status in
            status.leader == other && status.balancers.contains { $0.leader == [other] && $0.holdsAddress }
        }
        try await write("second")
        try await lab.fault("start", leader)
        try await lab.fault("start", holder)
        try await Self.awaitCluster()
        expectNothingChanged(try await apply())
    }

    /// Waits until the leader has been in failsafe mode for longer than the 20 s of its lock: it reaches the replica, which
    /// agrees that it leads.
    private func leadsWithoutLock(_ leader: String) async throws {
        let waited = try await lab.shell(
            on: leader,
            """
            until journalctl --unit=patroni --since=-1min --output=short-unix --no-pager | grep 'failsafe mode is enabled' |
                awk 'NR == 1 { first = $1 } { last = $1 } END { exit !(last - first > 20) }'
            do sleep 0.1; done
            """)
        guard waited.status != 0 else { return }
        let journal = try await lab.must(
            on: leader,
            "journalctl --unit=patroni --unit=patroni-fence --since=-4min --no-pager --output=short-precise")
        Issue.record("\(leader) does not lead in failsafe mode:\n\(journal)")
    }

    /// Patroni's loop meets this if the last etcd stops between its two requests, and another thread notices first.
    @Test("a leader that cannot reach etcd does not assume that it has lost its lock")
    func etcdIsUnknown() async throws {
        let leader = try await leader()
        let answer = try await lab.must(
            on: leader,
            """
            runuser -u postgres -- python3 -c '
            import runpy
            runpy.run_path("/usr/local/lib/drover/patroni")["correct"]()
            from patroni.config import Config
            from patroni.dcs import get_dcs
            dcs = get_dcs(dict(Config("/etc/patroni/config.yml").copy(), patronictl=True))
            dcs._client._config["hosts"] = dcs._client._machines_cache = ["https://127.0.0.1:1"]
            dcs._client._update_machines_cache = True
            try:
                print("has the lock:", dcs._update_leader())
            except Exception as error:
                print("raises", type(error).__name__)
            ' 2>/dev/null
            """)
        #expect(answer == "raises Etcd3Error\n")
    }

    @Test("without etcd the leader goes on, status reports nothing about the members, and one run restores the cluster")
    func lossOfEtcd() async throws {
        try await createNotes()
        let leader = try await leader()
        for host in Self.etcd { try await lab.must(on: host, "systemctl stop etcd") }
        let told = try await lab.status(Self.inventory()).findings.map(\.text)
        #expect(
            told == ["etcd has no quorum: who leads cannot be told, and nobody could take over"]
                + Self.etcd.map { "etcd on \($0) is not healthy" })
        try await leadsWithoutLock(leader)
        try await write("second")
        let result = try await apply()
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply())
        try await Self.awaitCluster()
        try await write("third")
        #expect(try await sql("SELECT count(*) FROM notes").output == "3\n")
    }
}
