import Testing

/// A cluster with a VIP that follows its leader and with a cascading replica, beside its standby cluster in the same inventory.
@Suite("Topologies")
struct TopologyTests: TwoClusters {
    @Test("a plan for an inventory of two clusters requires --cluster, before any contact", .lab(of: 1))
    func choice() async throws {
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory())
        #expect(plan.status == 1)
        #expect(plan.everything.contains("the inventory has 2 clusters: a, b; say which one by --cluster NAME"))
    }

    @Test("a missing external etcd is refused before any change", .lab(of: 5, isPrepared: true))
    func noEtcd() async throws {
        let plain = try inventory(etcd: "patroni_etcd_hosts: [{ host: 10.70.0.11, port: 2379 }],")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", plain, "--cluster", "b")
        #expect(plan.status == 9, "\(plan.everything)")
        #expect(
            plan.everything.contains("etcd: pg4 pg5: the etcd of patroni_etcd_hosts cannot be used: 10.70.0.11:2379"))
    }

    @Test(
        """
        deployments to hosts that have the packages: a cluster with a VIP at its leader and a cascading replica; then a \
        standby cluster of it in an external etcd, with a certificate and a password
        """, .lab(of: 5, isPrepared: true))
    func deployments() async throws {
        try await deployCascade()
        try await deployStandbyCluster()
    }

    private func deployCascade() async throws {
        // A clone that begins late has less WAL than one that has finished by then.
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
        // keepalived asks Patroni over TLS.
        try await lab.must(on: "pg1", "grep -q 'https://10.70.0.11:8008/primary' /etc/keepalived/keepalived.conf")
        try await createNotes()
    }

    private func deployStandbyCluster() async throws {
        try await startOthersEtcd()
        let result = try await apply("b")
        try #require(result.status == 0, "\(result.everything)")
        #expect(!result.output.contains("etcd-server"))
        expectNothingChanged(try await apply("b"))
        let seen = try await status("b")
        #expect(seen.contains("Cluster b, a standby cluster of \(address):5432"), "\(seen)")
        #expect(seen.contains("pg4     standby leader  streaming"), "\(seen)")
        #expect(seen.contains("pg5     replica         streaming"), "\(seen)")
        #expect(seen.contains("Nothing to complain about."), "\(seen)")
        // Only the standby leader streams from the other cluster.
        #expect(try await streams(from: "pg1") == ["pg2", "pg4"])
        #expect(try await streams(from: "pg4") == ["pg5"])
        #expect(seen.contains("10.70.0.11:\(OthersEtcd.port)  healthy"), "\(seen)")
        #expect(try await others.keys().contains("/far/b/initialize"))
        let stranger = try await lab.drover(
            "plan", "remove-cluster", "--cluster", "b", "-i", inventory(), "-e", "patroni_etcd_password=wrong")
        #expect(stranger.status == 9, "\(stranger.everything)")
        // Parameters that the inventory does not set are computed from the host's memory.
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

    @Test("the VIP moves with the leader, and is never at two members", .lab(from: .topologies))
    func switchover() async throws {
        let hosts = ["pg1", "pg2", "pg3"]
        for host in hosts {
            try await lab.must(
                on: host,
                "systemd-run --quiet --unit=addresses sh -c 'exec stdbuf -oL ip -ts -o monitor address >/run/addresses'"
            )
        }
        try await lab.makeLeader("pg2", inventory: inventory(), cluster: "a")
        let again = try await apply("a")
        #expect(again.status == 0, "\(again.everything)")
        expectNothingChanged(try await apply("a"))
        #expect(try await status("a").contains("\(address) is at pg2: it follows the leader"))
        // All hosts have one clock, so the times of leaving and arriving can be compared.
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

    @Test("a killed keepalived leaves no VIP behind, and restarts", .lab(from: .topologies))
    func killed() async throws {
        try await lab.must(
            on: "pg1",
            """
            holds() { ip -o -4 address show to \(address)/32 | grep -q .; }
            deadline=$(( $(date +%s) + 20 ))
            kill -KILL "$(systemctl show -P MainPID keepalived)"
            while holds; do [ "$(date +%s)" -lt "$deadline" ] || exit 1; done
            until holds; do [ "$(date +%s)" -lt "$deadline" ] || exit 1; done
            """)
    }
}
