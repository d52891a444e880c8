import Foundation
import Testing

/// One cluster that grows, shrinks and goes, each time by runs that are killed at every barrier, while a client writes
/// numbered rows. Two members become three and two again, etcd of one member becomes one of two and of one again, and the
/// balancer is replaced. Its hosts filter packets, and Prometheus may look.
@Suite("Killed at every barrier", .serialized, .lab(of: 3, isPrepared: true))
struct KilledFlowTests {
    private var lab: TestLab { TestLab.current }
    private var writer: NumberedRows { NumberedRows(lab: lab, host: "pg2", address: "10.70.0.100") }

    @Test(
        "every flow comes to its end, each of them changes nothing the second time, and every acknowledged row is there"
    )
    func life() async throws {
        try await deploy()
        try await addMember()
        try await replaceBalancer()
        try await removeMember()
        try await removeCluster()
    }

    private func deploy() async throws {
        let result = try await lab.apply(try two())
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(try two()))
        for host in ["pg1", "pg2"] { try await expectMeasured(host) }
        #expect(try await etcdMembers().count == 1)
        try await writer.begin()
    }

    // MARK: A member, and its etcd

    private func addMember() async throws {
        let words = ["add-pgnode", "--node", "pg3", "--etcd", "-i", try three(), "--yes"]
        // Added and never started: with a vote it would stop the only other member of etcd, and so the cluster.
        try await lab.kill(["apply"] + words, after: "add pg3 to etcd")
        #expect(try await etcdMembers().filter { $0.hasSuffix("true") }.count == 1)
        let health = try await lab.must(
            on: "pg1", "\(TestLab.etcdctl) put /drover/test 1 && \(TestLab.etcdctl) del /drover/test")
        #expect(health.hasPrefix("OK"))
        try await writer.write(5)
        let plays = try await lab.applyKilledAtEachPlay(words)
        for play in ["Join etcd", "Let the leader know it", "Clone the new members", "Lead clients to the new member"] {
            #expect(plays.contains(play), "\(plays)")
        }
        expectNothingChanged(try await run(words))
        let members = try await etcdMembers()
        #expect(
            members.count == 2 && members.allSatisfy { $0.contains("started") && $0.hasSuffix("false") }, "\(members)")
        try await lab.eventually("pg3 streams", inventory: try three()) { status in
            status.members.contains { $0.name == "pg3" && $0.state == "streaming" }
        }
        try await expectMeasured("pg3")
        #expect(try await rules(of: "pg1").contains("10.70.0.13"))
    }

    // MARK: A balancer for another one

    private func replaceBalancer() async throws {
        let three = try three(balancers: ["pg1", "pg2"])
        let add = ["add-balancer", "--node", "pg2", "-i", three, "--yes"]
        let added = try await lab.applyKilledAtEachPlay(add)
        #expect(added.contains("Prove the way through the new balancers"), "\(added)")
        #expect(added.contains("Stand by to hold the address"), "\(added)")
        expectNothingChanged(try await run(add))
        #expect(try await lab.status(three).balancers.filter(\.holdsAddress).map(\.name) == ["pg1"])

        let remove = ["remove-balancer", "--node", "pg1", "-i", three, "--yes"]
        let removed = try await lab.applyKilledAtEachPlay(remove)
        #expect(removed.contains("Let its peers forget it"), "\(removed)")
        expectNothingChanged(try await run(remove))
        #expect(try await lab.status(three).balancers.filter(\.holdsAddress).map(\.name) == ["pg2"])
        #expect(try await lab.shell(on: "pg1", "ls /etc/haproxy/haproxy.cfg; ip a | grep -F 10.70.0.100/").output == "")
        try await writer.write(5)
    }

    // MARK: A member goes

    private func removeMember() async throws {
        let three = try three(balancers: ["pg2"])
        let words = ["remove-pgnode", "--node", "pg3", "--etcd", "-i", three, "--yes"]
        let plays = try await lab.applyKilledAtEachPlay(words)
        for play in ["Stop it", "Let etcd forget it", "Let the packet filters forget it", "Take its data away"] {
            #expect(plays.contains(play), "\(plays)")
        }
        expectNothingChanged(try await run(words))
        #expect(try await etcdMembers().count == 1)
        for host in ["pg1", "pg2"] {
            let places = "grep -rF 10.70.0.13 /etc /var/lib/postgresql/15/main/pg_hba.conf"
            #expect(try await lab.shell(on: host, places).output == "")
            #expect(try await !rules(of: host).contains("10.70.0.13"))
        }
        #expect(try await rules(of: "pg3") == "")
        let units = "systemctl is-active patroni pgbouncer etcd prometheus-node-exporter prometheus-postgres-exporter"
        #expect(try await !lab.shell(on: "pg3", units).output.linesOfOutput.contains("active"))
        #expect(try await lab.shell(on: "pg3", "ls /var/lib/postgresql/15").output.hasPrefix("main.removed-"))
        try await writer.write(5)
    }

    // MARK: All of it

    private func removeCluster() async throws {
        let inventory = try two(balancers: ["pg2"])
        let leader = try #require(try await lab.status(inventory).leader)
        let plan = try await Command.run(lab.command(["plan", "remove-cluster", "-i", inventory, "--even-if-in-use"]))
        let line = try #require(plan.output.linesOfOutput.last, "\(plan.everything)")
        let words = String(line[try #require(line.range(of: "--confirm "), "\(line)").upperBound...])
        let remove = ["remove-cluster", "-i", inventory, "--even-if-in-use", "--confirm", words]
        let plays = try await lab.applyKilledAtEachPlay(remove)
        #expect(plays.contains("Stop the leader") && plays.contains("Take etcd away"), "\(plays)")
        expectNothingChanged(try await run(remove))
        try await writer.end()
        for host in ["pg1", "pg2"] {
            let left = try await lab.must(
                on: host,
                """
                nft list tables; ls /etc/patroni/config.yml /etc/haproxy/haproxy.cfg /etc/pgbouncer/pgbouncer.ini \\
                    /etc/default/prometheus-node-exporter 2>/dev/null
                for unit in keepalived haproxy pgbouncer patroni etcd prometheus-node-exporter prometheus-postgres-exporter; do
                    ! systemctl is-active --quiet $unit || echo $unit
                done
                """)
            #expect(left == "", "\(host)")
        }
        let rows = try await lab.must(
            on: leader,
            """
            mv -T /var/lib/postgresql/15/main.removed-*Z /var/lib/postgresql/15/main && cd /
            runuser -u postgres -- /usr/lib/postgresql/15/bin/pg_ctl -s -w -o '-c ssl=off' -D /var/lib/postgresql/15/main start >/dev/null
            runuser -u postgres -- psql -h /var/run/postgresql -XAtc 'SELECT n FROM rows' app
            """)
        try await writer.expectAll(in: rows, atLeast: 100)
    }

    // MARK: Doing and looking

    private func run(_ words: [String]) async throws -> Command {
        try await Command.run(lab.command(["apply"] + words))
    }

    private func etcdMembers() async throws -> [String] {
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) member list").linesOfOutput
    }

    private func rules(of host: String) async throws -> String { try await lab.must(on: host, "nft list ruleset") }

    /// Each exporter answers, and the database is up by the word of its own.
    private func expectMeasured(_ host: String) async throws {
        let address = "10.70.0.1\(host.dropFirst(2))"
        let told = try await lab.must(
            on: host,
            """
            get() { curl --silent --fail --noproxy '*' --cacert /etc/ssl/drover/ca.crt "${2:-http}://\(address):$1/metrics"; }
            get 9187 | grep -x 'pg_up 1'
            get 9187 | grep -c '^pg_stat_database_xact_commit'
            get 9100 | grep -c '^node_load1 '
            get 8008 https | grep -c '^patroni_postgres_running'
            """
        ).linesOfOutput
        #expect(told.count == 4 && told[0] == "pg_up 1" && !told.contains("0"), "\(host): \(told)")
    }

    private func two(balancers: [String] = ["pg1"]) throws -> String {
        try inventory("two", etcd: ["pg1"], replicas: ["pg2"], balancers: balancers)
    }

    private func three(balancers: [String] = ["pg1"]) throws -> String {
        try inventory("three", etcd: ["pg1", "pg2", "pg3"], replicas: ["pg2", "pg3"], balancers: balancers)
    }

    private func inventory(_ name: String, etcd: [String], replicas: [String], balancers: [String]) throws -> String {
        try lab.inventory(
            named: "\(name)-\(balancers.joined())",
            with: [
                "cluster_protected: false", "patroni_preset: fast", "monitoring_install: true",
                "firewall_enabled_at_boot: true",
            ],
            groups: [("etcd_cluster", etcd), ("balancers", balancers), ("master", ["pg1"]), ("replica", replicas)])
    }
}
