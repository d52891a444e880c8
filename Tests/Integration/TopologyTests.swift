import Foundation
import Testing

/// The life of two clusters in one inventory, in its order: one of three members with an address that follows its leader and a
/// cascade, and one of two members that follows it as a standby cluster, and is kept in an etcd of others.
@Suite("topologies", .serialized, .lab(of: 5, isPrepared: true))
struct TopologyTests {
    private var lab: TestLab { TestLab.current }
    private let address = "10.70.0.100"
    private var others: OthersEtcd { OthersEtcd(lab: lab, host: "pg1", address: "10.70.0.11") }

    /// Clusters `a` and `b`, of the lab's own inventory.
    ///
    /// - Parameter etcd: how `b` reaches the one that it is kept in; nil for that of the others.
    private func inventory(following: Bool = true, etcd: String? = nil) throws -> String {
        let whole = try String(contentsOfFile: lab.inventory, encoding: .utf8)
        let head = try #require(whole.firstRange(of: "  children:\n"))
        let variables = whole[..<head.lowerBound].split(separator: "\n").filter { line in
            !["patroni_cluster_name:", "cluster_vip:"].contains { line.contains($0) }
        }
        let source =
            following ? "patroni_standby_cluster: { host: \(address), port: 5432, primary_slot_name: b }" : ""
        let folder = OthersEtcd.folder
        let etcd =
            etcd ?? """
                patroni_etcd_protocol: https, patroni_etcd_cacert: \(folder)/ca.crt, patroni_etcd_cert: \(folder)/client.crt,
                          patroni_etcd_key: \(folder)/client.key, patroni_etcd_username: \(OthersEtcd.login),
                          patroni_etcd_password: \(others.password),
                          patroni_etcd_hosts: [{ host: 10.70.0.11, port: \(OthersEtcd.port) }],
                """
        let text =
            variables.joined(separator: "\n") + """

                  children:
                    a:
                      vars:
                        patroni_cluster_name: a
                        cluster_vip: \(address)
                        patroni_slots: [{ slot: b, type: physical }]
                        postgresql_pg_hba:
                          - { type: host, database: all, user: all, address: 10.70.0.0/24, method: scram-sha-256 }
                          - { type: host, database: replication, user: replicator, address: 10.70.0.14/31, method: scram-sha-256 }
                      hosts:
                        pg1: { ansible_host: 10.70.0.11 }
                        pg2: { ansible_host: 10.70.0.12 }
                        pg3: { ansible_host: 10.70.0.13, patroni_replicatefrom: pg2 }
                    b:
                      vars: {
                        patroni_cluster_name: b, dcs_exists: true, patroni_etcd_namespace: far, cluster_protected: false,
                        postgresql_parameters: [{ option: max_connections, value: 200 }],
                        \(etcd)
                        \(source) }
                      hosts:
                        pg4: { ansible_host: 10.70.0.14 }
                        pg5: { ansible_host: 10.70.0.15 }
                    etcd_cluster:
                      hosts: { pg1: }
                    master:
                      hosts: { pg1: , pg4: }
                    replica:
                      hosts: { pg2: , pg3: , pg5: }

                """
        let path = "\(lab.folder)/\(following ? "two" : "apart").yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func apply(_ cluster: String, following: Bool = true) async throws -> Command {
        try await lab.apply(inventory(following: following), "--cluster", cluster)
    }

    private func status(_ cluster: String) async throws -> String {
        try await lab.drover("status", "-i", inventory(), "--cluster", cluster).output
    }

    /// Who streams from a member.
    private func streams(from host: String) async throws -> [String] {
        let question = "SELECT application_name FROM pg_stat_replication ORDER BY 1"
        return try await lab.must(on: host, "cd /; su postgres -c \"psql -XAtc '\(question)'\"").linesOfOutput
    }

    /// Waits until a shell text succeeds.
    private func wait(on host: String, _ test: String) async throws {
        try await lab.must(
            on: host,
            "deadline=$(( $(date +%s) + 120 )); until \(test); do [ \"$(date +%s)\" -lt \"$deadline\" ] || exit 1; done"
        )
    }

    /// Waits until a row that was written elsewhere has reached a member.
    private func waitForNote(_ text: String, at host: String) async throws {
        let ask = "psql -XAtc \\\"SELECT text FROM notes WHERE text = '\(text)'\\\" app"
        try await wait(on: host, "su postgres -c \"cd /; \(ask)\" | grep -q .")
    }

    private func sql(_ statement: String, at host: String) async throws -> String {
        let result = try await Command.run(
            lab.inside("env") + [
                "PGPASSWORD=\(lab.password(of: "app"))", "psql", "-h", host, "-p", "6432", "-U", "app", "-XAtq", "-v",
                "ON_ERROR_STOP=1", "-c", statement, "app",
            ])
        try #require(result.status == 0, "\(statement): \(result.everything)")
        return result.output
    }

    @Test("an inventory of two clusters is about neither until one is named")
    func choice() async throws {
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory())
        #expect(plan.status == 1)
        #expect(plan.everything.contains("the inventory has 2 clusters: a, b; say which one by --cluster NAME"))
    }

    @Test("an etcd that is to exist and does not is told before anything is touched")
    func noEtcd() async throws {
        let plain = try inventory(etcd: "patroni_etcd_hosts: [{ host: 10.70.0.11, port: 2379 }],")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", plain, "--cluster", "b")
        #expect(plan.status == 9, "\(plan.everything)")
        #expect(
            plan.everything.contains("etcd: pg4 pg5: the etcd of patroni_etcd_hosts cannot be used: 10.70.0.11:2379"))
    }

    @Test("a cluster without balancers has its address at its leader, and a replica of a replica")
    func first() async throws {
        // A clone that begins late has less WAL than one that is done by then.
        try await lab.must(
            on: "pg2",
            """
            cd /usr/lib/postgresql/15/bin && mv pg_basebackup pg_basebackup.real
            printf '#!/bin/sh\\nsleep 5\\nexec %s/pg_basebackup.real "$@"\\n' "$PWD" >pg_basebackup
            chmod 755 pg_basebackup
            """)
        let result = try await apply("a")
        try #require(result.status == 0, "\(result.everything)")
        try await lab.must(on: "pg2", "cd /usr/lib/postgresql/15/bin && mv pg_basebackup.real pg_basebackup")
        expectNothingChanged(try await apply("a"))
        let seen = try await status("a")
        #expect(seen.contains("\(address) is at pg1: it follows the leader"), "\(seen)")
        #expect(seen.contains("Nothing to complain about."), "\(seen)")
        #expect(try await streams(from: "pg1") == ["pg2"])
        #expect(try await streams(from: "pg2") == ["pg3"])
        // It is asked over TLS who leads.
        try await lab.must(on: "pg1", "grep -q 'https://10.70.0.11:8008/primary' /etc/keepalived/keepalived.conf")
        _ = try await sql("CREATE TABLE notes (text text)", at: address)
    }

    @Test("a cluster of two members follows it, kept in an etcd of others, which wants a certificate and a password")
    func second() async throws {
        try await others.start(for: "/far/b/")
        try await others.put("/far/b2/leader", "somebody")
        for host in ["pg4", "pg5"] { try await others.introduce(host) }
        let result = try await apply("b")
        try #require(result.status == 0, "\(result.everything)")
        #expect(!result.output.contains("etcd-server"))
        expectNothingChanged(try await apply("b"))
        let seen = try await status("b")
        #expect(seen.contains("Cluster b, a standby cluster of \(address):5432"), "\(seen)")
        #expect(seen.contains("pg4     standby leader  streaming"), "\(seen)")
        #expect(seen.contains("pg5     replica         streaming"), "\(seen)")
        #expect(seen.contains("Nothing to complain about."), "\(seen)")
        // Only who leads there burdens the cluster that is followed.
        #expect(try await streams(from: "pg1") == ["pg2", "pg4"])
        #expect(try await streams(from: "pg4") == ["pg5"])
        #expect(seen.contains("10.70.0.11:\(OthersEtcd.port)  healthy"), "\(seen)")
        #expect(try await others.keys().contains("/far/b/initialize"))
        let stranger = try await lab.drover(
            "plan", "remove-cluster", "--cluster", "b", "-i", inventory(), "-e", "patroni_etcd_password=wrong")
        #expect(stranger.status == 9, "\(stranger.everything)")
        // What the inventory does not say of it is made of the host's memory.
        let shared = try await lab.must(
            on: "pg4",
            "grep -oP \"shared_buffers: '\\K[0-9]+(?=MB' # of the host's memory)\" /etc/patroni/config.yml")
        #expect(
            try await lab.must(
                on: "pg4",
                "cd /; su postgres -c \"psql -XAtc \\\"SELECT setting::int / 128 FROM pg_settings WHERE name = 'shared_buffers'\\\"\""
            )
                == shared)
    }

    @Test("the address goes with the lead, and is never at two members")
    func switchover() async throws {
        let hosts = ["pg1", "pg2", "pg3"]
        for host in hosts {
            try await lab.must(
                on: host,
                "systemd-run --quiet --unit=addresses sh -c 'exec stdbuf -oL ip -ts -o monitor address >/run/addresses'"
            )
        }
        let result = try await lab.drover(
            "apply", "switchover", "--cluster", "a", "--to", "pg2", "-i", inventory(), "--yes")
        try #require(result.status == 0, "\(result.everything)")
        let again = try await apply("a")
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await apply("a"))
        #expect(try await status("a").contains("\(address) is at pg2: it follows the leader"))
        // All hosts have one clock: when it left here is compared with when it came there.
        var moments: [String: String] = [:]
        for host in hosts {
            let lines = try await lab.must(
                on: host, "systemctl stop addresses; grep -F ' \(address)/' /run/addresses; true")
            moments[host] = lines
        }
        let left = try #require(moments["pg1"]?.linesOfOutput.first { $0.contains("Deleted") })
        let came = try #require(moments["pg2"]?.linesOfOutput.first { !$0.contains("Deleted") })
        #expect(left.prefix(29) < came.prefix(29), "\(moments)")
        #expect(moments["pg3"] == "")
        #expect(moments.values.flatMap(\.linesOfOutput).count == 2, "\(moments)")
        _ = try await sql("INSERT INTO notes VALUES ('reached a')", at: address)
    }

    @Test("keepalived that is killed leaves no address behind, and comes back")
    func killed() async throws {
        try await lab.must(
            on: "pg2",
            """
            holds() { ip -o -4 address show to \(address)/32 | grep -q .; }
            deadline=$(( $(date +%s) + 20 ))
            kill -KILL "$(systemctl show -P MainPID keepalived)"
            while holds; do [ "$(date +%s)" -lt "$deadline" ] || exit 1; done
            until holds; do [ "$(date +%s)" -lt "$deadline" ] || exit 1; done
            """)
    }

    @Test(
        "when who leads the cluster that follows is stopped, the other one follows in its place; a run brings it back")
    func standbyFailover() async throws {
        try await lab.must(on: "pg4", "systemctl stop patroni")
        try await wait(
            on: "pg5", "curl -sf -o /dev/null --cacert /etc/ssl/drover/ca.crt https://10.70.0.15:8008/standby-leader")
        let result = try await apply("b")
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply("b"))
        #expect(try await streams(from: "pg5") == ["pg4"])
        let seen = try await status("b")
        #expect(seen.contains("pg5     standby leader  streaming"), "\(seen)")
        #expect(seen.contains("Nothing to complain about."), "\(seen)")
        _ = try await sql("INSERT INTO notes VALUES ('followed')", at: address)
        try await waitForNote("followed", at: "pg4")
    }

    @Test("the cluster that follows becomes one of its own with all that was written, and never follows again")
    func promotion() async throws {
        // Whoever was let in has to log in anew.
        try await others.restart()
        let early = try await lab.drover("apply", "switchover", "--cluster", "b", "-i", inventory(), "--yes")
        #expect(early.status == 9, "\(early.everything)")
        let result = try await apply("b", following: false)
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("follow \(address):5432 no more: this becomes a cluster of its own, for good"))
        expectNothingChanged(try await apply("b", following: false))
        _ = try await sql("INSERT INTO notes VALUES ('written to b')", at: "10.70.0.15")
        #expect(try await sql("TABLE notes", at: "10.70.0.15") == "reached a\nfollowed\nwritten to b\n")
        try await waitForNote("written to b", at: "pg4")
        #expect(try await sql("TABLE notes", at: address) == "reached a\nfollowed\n")
        let back = try await apply("b")
        #expect(back.status == 9, "\(back.everything)")
        #expect(back.everything.contains("the cluster 'b' is one of its own, led by pg5"))
    }

    @Test("what others replicate from stays; who goes takes its own keys out of an etcd of others, and nothing else")
    func removal() async throws {
        let refused = try await lab.drover(
            "apply", "remove-pgnode", "--cluster", "a", "--node", "pg2", "-i", inventory(), "--yes")
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.everything.contains("pg3 replicate from pg2"))
        let plan = try await lab.drover(
            "plan", "remove-cluster", "--cluster", "b", "--even-if-in-use", "-i", inventory(following: false))
        let words = try #require(plan.everything.firstMatch(of: /b@[0-9]+/))
        let result = try await lab.drover(
            "apply", "remove-cluster", "--cluster", "b", "--even-if-in-use", "-i", inventory(following: false),
            "--confirm",
            String(words.output))
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await others.keys() == ["/far/b2/leader"])
        let keys = try await lab.must(on: "pg1", "\(TestLab.etcdctl) get --prefix --keys-only /")
        #expect(keys.contains("/service/a/leader"), "\(keys)")
        expectNothingChanged(try await apply("a"))
    }
}
