import Testing

/// The life of a cluster of which every part has hosts of its own: three of etcd, of which two balance the load, and two of
/// the database. Packets that the inventory does not want are refused, so each part is asked by those alone that need it.
@Suite("etcd on hosts of its own", .serialized, .lab(of: 5, isPrepared: true))
struct SeparateEtcdTests {
    private var lab: TestLab { TestLab.current }
    private let etcd = ["pg1", "pg2", "pg3"]

    private func inventory() throws -> String {
        try lab.inventory(
            named: "separate",
            with: ["patroni_preset: fast", "firewall_enabled_at_boot: true", "monitoring_install: true"],
            groups: [("etcd_cluster", etcd), ("balancers", ["pg1", "pg2"]), ("master", ["pg4"]), ("replica", ["pg5"])])
    }

    private func apply() async throws -> Command { try await lab.apply(inventory()) }

    /// Runs SQL as a client does, from a host that has no part in the cluster.
    @discardableResult
    private func sql(_ statement: String, port: Int = 5000) async throws -> Command {
        try await Command.run(
            lab.inside("env") + [
                "PGPASSWORD=\(lab.password(of: "app"))", "PGCONNECT_TIMEOUT=5", "psql", "-h", "10.70.0.100", "-p",
                "\(port)", "-U", "app", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, "app",
            ])
    }

    private func write(_ text: String) async throws {
        let written = try await sql("INSERT INTO notes VALUES ('\(text)')")
        let account = written.status == 0 ? "" : try await account()
        #expect(written.status == 0, "\(written.everything)\(account)")
    }

    /// What stands at each point of the way of a statement.
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

    private func settled() async throws {
        try await lab.eventually("nothing to complain about", inventory: inventory()) { $0.findings.isEmpty }
    }

    @Test("each host has its part and no other, and SQL goes through the address")
    func deploy() async throws {
        let result = try await apply()
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply())
        try await settled()
        let units = "for unit in etcd haproxy patroni; do systemctl is-active --quiet $unit && echo $unit; done; true"
        let parts = ["pg2": ["etcd", "haproxy"], "pg3": ["etcd"], "pg5": ["patroni"]]
        for (host, part) in parts {
            #expect(try await lab.must(on: host, units).linesOfOutput == part, "\(host)")
        }
        let made = try await sql("CREATE TABLE notes (text text); INSERT INTO notes VALUES ('first')")
        #expect(made.status == 0, "\(made.everything)")
        let read = try await sql("SELECT text, pg_is_in_recovery(), inet_server_port() FROM notes", port: 5001)
        #expect(read.output.hasPrefix("first|t|"), "\(read.everything)")
        // etcd is nobody's but the cluster's.
        let stranger = try await Command.run(lab.inside("curl") + ["-sk", "-m", "2", "https://10.70.0.13:2379/health"])
        #expect(stranger.status == 28, "\(stranger.everything)")
    }

    @Test("a switchover leaves nothing to be done")
    func switchover() async throws {
        let result = try await lab.drover("apply", "switchover", "--to", "pg5", "-i", inventory(), "--yes")
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply())
        #expect(try await lab.status(inventory()).leader == "pg5")
    }

    @Test("the leader, and the host of etcd and the address are lost at once: the rest goes on, and takes them back")
    func lossOfTwo() async throws {
        let holder = try #require(try await lab.status(inventory()).balancers.first { $0.holdsAddress }?.name)
        try await lab.fault("kill", "pg5")
        try await lab.fault("kill", holder)
        try await lab.eventually("the other member leads, at the other balancer", inventory: inventory()) { status in
            status.leader == "pg4" && status.balancers.contains { $0.leader == ["pg4"] && $0.holdsAddress }
        }
        try await write("second")
        try await lab.fault("start", "pg5")
        try await lab.fault("start", holder)
        try await settled()
        expectNothingChanged(try await apply())
    }

    /// The lock, of twenty seconds, has no time left by then. The other member is reached, and agrees that this one leads.
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

    /// Patroni's loop meets this when the last etcd goes between its two questions, and another thread has found out before it.
    @Test("a leader that cannot ask etcd does not take this for the loss of its lock")
    func etcdIsUnknown() async throws {
        let leader = try #require(try await lab.status(inventory()).leader)
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

    @Test("without any etcd the leader goes on, status claims nothing of the members, and one run brings all back")
    func lossOfEtcd() async throws {
        let leader = try #require(try await lab.status(inventory()).leader)
        for host in etcd { try await lab.must(on: host, "systemctl stop etcd") }
        let told = try await lab.status(inventory()).findings.map(\.text)
        #expect(
            told == ["etcd has no quorum: who leads cannot be told, and nobody could take over"]
                + etcd.map { "etcd on \($0) is not healthy" })
        try await leadsWithoutLock(leader)
        try await write("third")
        let result = try await apply()
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply())
        try await settled()
        try await write("fourth")
        #expect(try await sql("SELECT count(*) FROM notes").output == "4\n")
    }
}
