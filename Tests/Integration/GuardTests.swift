import Foundation
import Testing

extension LabSnapshot {
    /// A synchronous cluster of pg1 and pg2 without spare WAL senders and replication slots, and pg3 without anything.
    fileprivate static let guarded = LabSnapshot(
        "guarded",
        setUp: {
            let lab = TestLab.current
            // A server sees only the locales that existed when it started.
            for host in ["pg1", "pg2"] { try await lab.must(on: host, "localedef -i de_DE -f UTF-8 de_DE.UTF-8") }
            let inventory = try lab.guardedInventory()
            let deployment = try await lab.apply(inventory)
            try #require(deployment.status == 0, "\(deployment.everything)")
            try await lab.must(
                on: "pg1",
                """
                cd /
                runuser -u postgres -- psql -XAtqc "CREATE DATABASE german TEMPLATE template0 LC_COLLATE 'de_DE.UTF-8'"
                """)
        },
        settle: {
            let lab = TestLab.current
            try await lab.awaitPatroni()
            try await lab.eventually("a replica is synchronous", inventory: try lab.guardedInventory()) { status in
                status.members.contains { $0.role == "sync_standby" && $0.lag == 0 }
                    && status.balancers.filter(\.holdsAddress).count == 1
            }
        })
}

extension TestLab {
    fileprivate func guardedInventory(
        etcd: [String] = ["pg1"], replicas: [String] = ["pg2"], balancers: [String] = ["pg1", "pg2"]
    ) throws -> String {
        try inventory(
            named: "guards",
            with: [
                "synchronous_mode: true",
                "patroni_slots: [{ slot: feed, type: physical }, { slot: far, type: physical }]",
            ],
            replacing: [
                (
                    "      - { option: shared_buffers",
                    """
                          - { option: max_wal_senders, value: 3 }
                          - { option: max_replication_slots, value: 4 }
                          - { option: shared_buffers
                    """
                )
            ],
            groups: [("etcd_cluster", etcd), ("balancers", balancers), ("master", ["pg1"]), ("replica", replicas)])
    }
}

/// Everything that forbids that a cluster grows or shrinks.
/// Each refusal leaves data, settings, daemons, addresses and the keys in etcd as they are.
@Suite("Guards", .lab(from: .guarded))
struct GuardTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    // MARK: New members

    @Test("add-pgnode refuses a host that cannot be a member, with all reasons: exit code 9")
    func admission() async throws {
        // A second receiver of WAL leaves one of three senders, and a clone needs two.
        let leader = try await leader()
        try await lab.must(
            on: leader,
            """
            cd /
            install -d -o postgres /tmp/log
            systemd-run --quiet --unit receiver -p User=postgres /usr/lib/postgresql/15/bin/pg_receivewal -D /tmp/log \\
                -d 'host=127.0.0.1 user=replicator password=\(lab.password(of: "replication"))'
            until runuser -u postgres -- psql -XAtqc 'SELECT count(*) FROM pg_stat_replication' | grep -qx 2; do sleep 0.1; done
            """)
        // The lab has one C library only, so the host reports another one.
        try await lab.must(
            on: "pg3",
            """
            mkdir -p /var/lib/postgresql /var/lib/etcd/etcd-lab/member
            mount -t tmpfs -o size=16M tmpfs /var/lib/postgresql
            printf '%s\\n' '#!/bin/sh' 'echo glibc 2.31' >/usr/local/bin/getconf && chmod 755 /usr/local/bin/getconf
            """)
        // A member of this name that was never removed.
        let member =
            #"{\"conn_url\":\"postgres://10.70.0.99:5432/postgres\",\"state\":\"running\",\"role\":\"replica\"}"#
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) put /service/lab/members/pg3 \"\(member)\"")
        try await lab.untouched(hosts) {
            let result = try await run(["add-pgnode", "--node", "pg3"])
            #expect(result.status == 9, "\(result.everything)")
            for reason in [
                "the cluster already has a member pg3 at 10.70.0.99",
                "cloning needs 4 senders of the log in all, and max_wal_senders is 3",
                "cloning needs 5 replication slots in all, and max_replication_slots is 4",
                "pg3 has 16 MB free for the data directory", "pg3 has glibc 2.31, the leader glibc 2.36",
                "pg3 lacks the locale de_DE.UTF-8 of the leader's databases",
            ] {
                #expect(result.errors.contains(reason), "\(reason)\n\(result.errors)")
            }
        }
    }

    @Test("deploy-cluster refuses the data of a stopped etcd: exit code 9")
    func leftoverEtcd() async throws {
        try await lab.must(on: "pg3", "mkdir -p /var/lib/etcd/etcd-lab/member")
        try await lab.untouched(hosts) {
            let etcd = try await run(["deploy-cluster"], etcd: hosts, replicas: ["pg2"])
            #expect(etcd.status == 9, "\(etcd.everything)")
            #expect(
                etcd.errors.contains("leftovers: pg3: /var/lib/etcd/etcd-lab holds the data of an etcd"),
                "\(etcd.errors)")
        }
    }

    @Test("add-pgnode and deploy-cluster refuse a data directory without a database: exit code 9")
    func leftoverData() async throws {
        let data = "/var/lib/postgresql/15/main"
        try await lab.must(on: "pg3", "mkdir -p \(data) && echo precious >\(data)/notes")
        for words in [["add-pgnode", "--node", "pg3"], ["deploy-cluster"]] {
            try await lab.untouched(hosts) {
                let result = try await run(words)
                #expect(result.status == 9, "\(result.everything)")
                #expect(
                    result.errors.contains("the data directory of pg3 holds something that is no database"),
                    "\(result.errors)")
            }
        }
    }

    @Test("deploy-cluster refuses the etcd keys of a cluster without a database: exit code 9")
    func orphanedKeys() async throws {
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) put /service/other/initialize 4711")
        let other = try lab.inventory(
            named: "other",
            replacing: [
                ("patroni_cluster_name: lab\n", "patroni_cluster_name: other\n"),
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ], groups: [("etcd_cluster", ["pg1"]), ("master", ["pg3"])])
        // With a CA other than that of the hosts' certificates Drover would refuse for that reason.
        try FileManager.default.copyItem(atPath: "\(lab.folder)/secrets/lab", toPath: "\(lab.folder)/secrets/other")
        try await lab.untouched(hosts) {
            let result = try await lab.apply(other)
            #expect(result.status == 9, "\(result.everything)")
            #expect(
                result.errors.contains("(system identifier 4711), but no member has a database"), "\(result.errors)")
        }
    }

    // MARK: Members and balancers that are needed

    @Test("no playbook removes the leader, the last synchronous replica or the last holder of the VIP: exit code 9")
    func indispensable() async throws {
        let leader = try await leader()
        let other = leader == "pg1" ? "pg2" : "pg1"
        try await lab.must(on: "pg2", "systemctl stop keepalived")
        let inventory = try lab.guardedInventory()
        try await lab.eventually("pg1 holds the VIP", inventory: inventory) { status in
            status.balancers.filter(\.holdsAddress).map(\.name) == ["pg1"]
        }
        try await lab.untouched(hosts) {
            for (words, reason) in [
                (["remove-pgnode", "--node", leader], "\(leader) leads the cluster"),
                (
                    ["remove-pgnode", "--node", other],
                    "without \(other) 0 replicas are left that run, but 1 must have"
                ),
                (["remove-balancer", "--node", "pg1"], "none of the other balancers (pg2) can take over 10.70.0.100"),
            ] {
                let result = try await run(words, replicas: ["pg2"])
                #expect(result.status == 9, "\(result.everything)")
                #expect(result.errors.contains(reason), "\(result.errors)")
            }
        }
    }

    // MARK: The VIP

    @Test("add-balancer refuses while two balancers hold the VIP: exit code 9")
    func splitAddress() async throws {
        let other = try await holders() == ["pg1"] ? "pg2" : "pg1"
        try await lab.must(on: other, "ip address add 10.70.0.100/24 dev eth0")
        try await lab.untouched(hosts) {
            let result = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("pg1 and pg2 all hold 10.70.0.100"), "\(result.errors)")
        }
    }

    @Test("a new balancer that receives no advertisements gives the VIP back, and the next run adds it")
    func deafBalancer() async throws {
        let holder = try #require(try await holders().first)
        try await lab.must(
            on: holder,
            """
            apt-get -qq install nftables >/dev/null
            nft 'table ip split { chain output { type filter hook output priority 0; ip daddr 10.70.0.13 ip protocol 112 drop; }; }'
            """)
        let deaf = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
        #expect(deaf.status == 3, "\(deaf.everything)")
        #expect(deaf.everything.contains("\(holder) holds: they do not hear each other"), "\(deaf.everything)")
        #expect(try await holders(of: hosts) == [holder])
        #expect(try await lab.shell(on: "pg3", "systemctl is-active keepalived").output == "inactive\n")

        try await lab.must(on: holder, "nft delete table ip split")
        let hearing = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
        #expect(hearing.status == 0, "\(hearing.everything)")
        #expect(try await holders(of: hosts) == [holder])
    }

    // MARK: Queries and runs

    private func leader() async throws -> String {
        try #require(try await lab.status(try lab.guardedInventory()).leader)
    }

    /// The balancers that hold the VIP.
    private func holders(of balancers: [String] = ["pg1", "pg2"]) async throws -> [String] {
        let status = try await lab.status(try lab.guardedInventory(balancers: balancers))
        return status.balancers.filter(\.holdsAddress).map(\.name)
    }

    private func run(
        _ words: [String], etcd: [String] = ["pg1"], replicas: [String] = ["pg2", "pg3"],
        balancers: [String] = ["pg1", "pg2"]
    ) async throws -> Command {
        let inventory = try lab.guardedInventory(etcd: etcd, replicas: replicas, balancers: balancers)
        return try await Command.run(lab.command(["apply"] + words + ["-i", inventory, "--yes"]))
    }
}
