import Foundation
import Testing

extension LabSnapshot {
    /// Two members with one etcd member and one balancer, packet filters and exporters, and pg3 without anything.
    fileprivate static let monitored = LabSnapshot(
        "monitored",
        setUp: {
            let deployment = try await TestLab.current.apply(try TestLab.current.two())
            try #require(deployment.status == 0, "\(deployment.everything)")
        },
        settle: {
            let inventory = try TestLab.current.two()
            try await TestLab.current.awaitPatroni()
            try await TestLab.current.eventually("the two members are whole", inventory: inventory) { status in
                status.findings.isEmpty && status.members.allSatisfy { $0.lag == 0 || $0.role == "leader" }
            }
        })
}

extension TestLab {
    fileprivate func two(balancers: [String] = ["pg1"]) throws -> String {
        try monitored("two", etcd: ["pg1"], replicas: ["pg2"], balancers: balancers)
    }

    fileprivate func three(balancers: [String] = ["pg1"]) throws -> String {
        try monitored("three", etcd: ["pg1", "pg2", "pg3"], replicas: ["pg2", "pg3"], balancers: balancers)
    }

    private func monitored(_ name: String, etcd: [String], replicas: [String], balancers: [String]) throws -> String {
        try inventory(
            named: "\(name)-\(balancers.joined())",
            with: [
                "cluster_protected: false", "patroni_preset: fast", "monitoring_install: true",
                "firewall_enabled_at_boot: true",
            ],
            groups: [("etcd_cluster", etcd), ("balancers", balancers), ("master", ["pg1"]), ("replica", replicas)])
    }
}

/// Playbooks whose runs are killed when each of their plays begins, while a client writes numbered rows.
@Suite("Killed at every barrier", .lab(from: .monitored))
struct KilledFlowTests {
    private var lab: TestLab { TestLab.current }
    private var writer: NumberedRows { NumberedRows(lab: lab, host: "pg2", address: "10.70.0.100") }

    // MARK: A member and its etcd

    @Test("add-pgnode and remove-pgnode finish, change nothing the second time, and lose no acknowledged row")
    func member() async throws {
        expectNothingChanged(try await lab.apply(try lab.two()))
        for host in ["pg1", "pg2"] { try await expectMeasured(host) }
        #expect(try await etcdMembers().count == 1)
        try await writer.begin()
        try await addMember()
        try await removeMember()
        try await expectAllRows()
    }

    private func addMember() async throws {
        let words = ["add-pgnode", "--node", "pg3", "--etcd", "-i", try lab.three(), "--yes"]
        // A voting member that never starts would take the quorum from the only other one.
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
        try await lab.eventually("pg3 streams", inventory: try lab.three()) { status in
            status.members.contains { $0.name == "pg3" && $0.state == "streaming" }
        }
        try await expectMeasured("pg3")
        #expect(try await rules(of: "pg1").contains("10.70.0.13"))
    }

    private func removeMember() async throws {
        let three = try lab.three()
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
    }

    // MARK: A balancer

    @Test("add-balancer and remove-balancer finish, change nothing the second time, and lose no acknowledged row")
    func balancer() async throws {
        try await writer.begin()
        let two = try lab.two(balancers: ["pg1", "pg2"])
        let add = ["add-balancer", "--node", "pg2", "-i", two, "--yes"]
        let added = try await lab.applyKilledAtEachPlay(add)
        #expect(added.contains("Prove the way through the new balancers"), "\(added)")
        #expect(added.contains("Stand by to hold the address"), "\(added)")
        expectNothingChanged(try await run(add))
        #expect(try await lab.status(two).balancers.filter(\.holdsAddress).map(\.name) == ["pg1"])

        let remove = ["remove-balancer", "--node", "pg1", "-i", two, "--yes"]
        let removed = try await lab.applyKilledAtEachPlay(remove)
        #expect(removed.contains("Let its peers forget it"), "\(removed)")
        expectNothingChanged(try await run(remove))
        #expect(try await lab.status(two).balancers.filter(\.holdsAddress).map(\.name) == ["pg2"])
        #expect(try await lab.shell(on: "pg1", "ls /etc/haproxy/haproxy.cfg; ip a | grep -F 10.70.0.100/").output == "")
        try await writer.write(5)
        try await expectAllRows()
    }

    // MARK: A cluster

    @Test("remove-cluster finishes, changes nothing the second time, and keeps every acknowledged row")
    func cluster() async throws {
        try await writer.begin()
        try await writer.write(100)
        let inventory = try lab.two()
        let leader = try #require(try await lab.status(inventory).leader)
        let plan = try await Command.run(lab.command(["plan", "remove-cluster", "-i", inventory, "--even-if-in-use"]))
        let remove = ["remove-cluster", "-i", inventory, "--even-if-in-use", "--confirm", try plan.confirmation]
        let plays = try await lab.applyKilledAtEachPlay(remove)
        #expect(plays.contains("Stop the leader") && plays.contains("Take etcd away"), "\(plays)")
        expectNothingChanged(try await run(remove))
        try await writer.end()
        // On pg2, which is no balancer, the file of HAProxy is the one of its package.
        for (host, ofBalancer) in [("pg1", "/etc/haproxy/haproxy.cfg"), ("pg2", "")] {
            let left = try await lab.must(
                on: host,
                """
                nft list tables; ls /etc/patroni/config.yml \(ofBalancer) /etc/pgbouncer/pgbouncer.ini \\
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

    // MARK: Runs and queries

    private func run(_ words: [String]) async throws -> Command {
        try await Command.run(lab.command(["apply"] + words))
    }

    private func expectAllRows() async throws {
        try await writer.end()
        let leader = try #require(try await lab.status(try lab.two()).leader)
        let rows = try await lab.must(
            on: leader, "cd /; runuser -u postgres -- psql -h /var/run/postgresql -XAtc 'SELECT n FROM rows' app")
        try await writer.expectAll(in: rows, atLeast: 100)
    }

    private func etcdMembers() async throws -> [String] {
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) member list").linesOfOutput
    }

    private func rules(of host: String) async throws -> String { try await lab.must(on: host, "nft list ruleset") }

    /// Expects that each exporter answers, and that the database is up according to its own.
    private func expectMeasured(_ host: String) async throws {
        let address = "10.70.0.1\(host.dropFirst(2))"
        let metrics = try await lab.must(
            on: host,
            """
            get() { curl --silent --fail --noproxy '*' --cacert /etc/ssl/drover/ca.crt "${2:-http}://\(address):$1/metrics"; }
            get 9187 | grep -x 'pg_up 1'
            get 9187 | grep -c '^pg_stat_database_xact_commit'
            get 9100 | grep -c '^node_load1 '
            get 8008 https | grep -c '^patroni_postgres_running'
            """
        ).linesOfOutput
        #expect(metrics.count == 4 && metrics[0] == "pg_up 1" && !metrics.contains("0"), "\(host): \(metrics)")
    }
}
