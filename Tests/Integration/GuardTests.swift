import Foundation
import Testing

/// A synchronous cluster of two members that has room for no third one, and everything that forbids that it grows or shrinks.
/// Each refusal leaves data, settings, daemons, addresses and the keys in etcd as they are.
@Suite("Guards", .serialized, .lab(of: 3, isPrepared: true))
struct GuardTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]
    private let data = "/var/lib/postgresql/15/main"

    @Test("a synchronous cluster without spare senders and slots")
    func deploy() async throws {
        // A server sees only the locales that there were when it was started.
        for host in ["pg1", "pg2"] { try await lab.must(on: host, "localedef -i de_DE -f UTF-8 de_DE.UTF-8") }
        let result = try await lab.apply(try inventory())
        try #require(result.status == 0, "\(result.everything)")
        try await lab.eventually("pg2 is synchronous", inventory: try inventory()) { status in
            status.members.contains { $0.role == "sync_standby" }
        }
        // Somebody besides the replica has the log sent: of three senders one is left, and a clone takes two.
        try await lab.must(
            on: "pg1",
            """
            cd /
            runuser -u postgres -- psql -XAtqc "CREATE DATABASE german TEMPLATE template0 LC_COLLATE 'de_DE.UTF-8'"
            install -d -o postgres /tmp/log
            systemd-run --quiet --unit receiver -p User=postgres /usr/lib/postgresql/15/bin/pg_receivewal -D /tmp/log \\
                -d 'host=127.0.0.1 user=replicator password=\(lab.password(of: "replication"))'
            until runuser -u postgres -- psql -XAtqc 'SELECT count(*) FROM pg_stat_replication' | grep -qx 2; do sleep 0.1; done
            """)
    }

    @Test("a host on which a member cannot live is told all reasons at once: exit code 9")
    func admission() async throws {
        // No other C library can be had here; the host is made to tell of one.
        try await lab.must(
            on: "pg3",
            """
            mkdir -p /var/lib/postgresql /var/lib/etcd/etcd-lab/member
            mount -t tmpfs -o size=16M tmpfs /var/lib/postgresql
            printf '%s\\n' '#!/bin/sh' 'echo glibc 2.31' >/usr/local/bin/getconf && chmod 755 /usr/local/bin/getconf
            """)
        // A member of this name that was never taken out.
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
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) del /service/lab/members/pg3")
        try await lab.must(on: "pg3", "rm /usr/local/bin/getconf; umount /var/lib/postgresql")
    }

    @Test("data of an etcd that was given up, and of another database: exit code 9")
    func leftovers() async throws {
        try await lab.untouched(hosts) {
            let etcd = try await run(["deploy-cluster"], etcd: hosts, replicas: ["pg2"])
            #expect(etcd.status == 9, "\(etcd.everything)")
            #expect(
                etcd.errors.contains("leftovers: pg3: /var/lib/etcd/etcd-lab holds the data of an etcd"),
                "\(etcd.errors)")
        }
        try await lab.must(on: "pg3", "rm -r /var/lib/etcd; mkdir -p \(data) && echo precious >\(data)/notes")
        for words in [["add-pgnode", "--node", "pg3"], ["deploy-cluster"]] {
            try await lab.untouched(hosts) {
                let result = try await run(words)
                #expect(result.status == 9, "\(result.everything)")
                #expect(
                    result.errors.contains("the data directory of pg3 holds something that is no database"),
                    "\(result.errors)")
            }
        }
        try await lab.must(on: "pg3", "rm -r /var/lib/postgresql")
    }

    @Test("keys of a cluster that has no database: exit code 9")
    func orphanedKeys() async throws {
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) put /service/other/initialize 4711")
        let other = try lab.inventory(
            named: "other",
            replacing: [
                ("patroni_cluster_name: lab\n", "patroni_cluster_name: other\n"),
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ], groups: [("etcd_cluster", ["pg1"]), ("master", ["pg3"])])
        // With another authority than that of the hosts' certificates it would be refused for that already.
        try FileManager.default.copyItem(atPath: "\(lab.folder)/secrets/lab", toPath: "\(lab.folder)/secrets/other")
        try await lab.untouched(hosts) {
            let result = try await lab.apply(other)
            #expect(result.status == 9, "\(result.everything)")
            #expect(
                result.errors.contains("(system identifier 4711), but no member has a database"), "\(result.errors)")
        }
        try await lab.must(on: "pg1", "\(TestLab.etcdctl) del /service/other/initialize")
    }

    @Test("who leads, who must have each commit, who alone can hold the address: exit code 9")
    func indispensable() async throws {
        try await lab.must(on: "pg2", "systemctl stop keepalived")
        try await lab.untouched(hosts) {
            for (words, reason) in [
                (["remove-pgnode", "--node", "pg1"], "pg1 leads the cluster"),
                (["remove-pgnode", "--node", "pg2"], "without pg2 0 replicas are left that run, but 1 must have"),
                (["remove-balancer", "--node", "pg1"], "none of the other balancers (pg2) can take over 10.70.0.100"),
            ] {
                let result = try await run(words, replicas: ["pg2"])
                #expect(result.status == 9, "\(result.everything)")
                #expect(result.errors.contains(reason), "\(result.errors)")
            }
        }
        try await lab.must(on: "pg2", "systemctl start keepalived")
    }

    @Test(
        "two already hold the address: exit code 9; a new one that takes it because it hears nobody has to give it back"
    )
    func splitAddress() async throws {
        try await lab.must(on: "pg2", "ip address add 10.70.0.100/24 dev eth0")
        try await lab.untouched(hosts) {
            let result = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("pg1 and pg2 all hold 10.70.0.100"), "\(result.errors)")
        }
        try await lab.must(on: "pg2", "ip address del 10.70.0.100/24 dev eth0")

        try await lab.must(
            on: "pg1",
            """
            apt-get -qq install nftables >/dev/null
            nft 'table ip split { chain output { type filter hook output priority 0; ip daddr 10.70.0.13 ip protocol 112 drop; }; }'
            """)
        let deaf = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
        #expect(deaf.status == 3, "\(deaf.everything)")
        #expect(deaf.everything.contains("pg1 holds: they do not hear each other"), "\(deaf.everything)")
        try await expectOneHolder()
        #expect(try await lab.shell(on: "pg3", "systemctl is-active keepalived").output == "inactive\n")

        try await lab.must(on: "pg1", "nft delete table ip split")
        let hearing = try await run(["add-balancer", "--node", "pg3"], balancers: hosts)
        #expect(hearing.status == 0, "\(hearing.everything)")
        try await expectOneHolder()
    }

    // MARK: Doing and looking

    private func expectOneHolder(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let holders = try await lab.status(try inventory(balancers: hosts)).balancers.filter(\.holdsAddress)
        #expect(holders.map(\.name) == ["pg1"], sourceLocation: sourceLocation)
    }

    private func run(
        _ words: [String], etcd: [String] = ["pg1"], replicas: [String] = ["pg2", "pg3"],
        balancers: [String] = ["pg1", "pg2"]
    ) async throws -> Command {
        let inventory = try inventory(etcd: etcd, replicas: replicas, balancers: balancers)
        return try await Command.run(lab.command(["apply"] + words + ["-i", inventory, "--yes"]))
    }

    private func inventory(
        etcd: [String] = ["pg1"], replicas: [String] = ["pg2"], balancers: [String] = ["pg1", "pg2"]
    ) throws -> String {
        try lab.inventory(
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
