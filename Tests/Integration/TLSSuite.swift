import Foundation
import Testing

/// Tests of a cluster with TLS of two members, whose passwords and certificates Drover has generated.
protocol TLSSuite {}

extension TLSSuite {
    var lab: TestLab { TestLab.current }
    var inventory: String { "\(lab.folder)/tls.yml" }
    var secrets: String { "\(lab.folder)/secrets/safe" }
    var vault: [String] { ["--vault-password-file", "\(lab.folder)/vault-password"] }
    static var trust: String { "/etc/ssl/drover/ca.crt" }
    static var etcdTrust: String { "/etc/ssl/drover/etcd-ca.crt" }

    /// - Parameter more: Further variables.
    func writeInventory(_ more: String = "") throws {
        try "a vault password\n".write(toFile: vault[1], atomically: true, encoding: .utf8)
        try """
        all:
          vars:
            ansible_user: root
            ansible_ssh_private_key_file: \(lab.folder)/id_ed25519
            ansible_ssh_common_args: -o UserKnownHostsFile=\(lab.folder)/known_hosts
            patroni_cluster_name: safe
            cluster_vip: 10.70.0.100
            cluster_protected: false
            postgresql_users: [{ name: app, password: \(lab.password(of: "app")) }]
            postgresql_databases: [{ db: app, owner: app }]
            postgresql_parameters: [{ option: shared_buffers, value: 32MB }]
            haproxy_maxconn: 1000
            haproxy_maxconn_global: 2000
            pgbouncer_max_client_conn: 1000
            tls_names: [db.example.com]
        \(more)
          children:
            etcd_cluster: { hosts: { pg1: { ansible_host: 10.70.0.11 } } }
            balancers: { hosts: { pg1: , pg2: { ansible_host: 10.70.0.12 } } }
            master: { hosts: { pg1: } }
            replica: { hosts: { pg2: } }

        """.write(toFile: inventory, atomically: true, encoding: .utf8)
    }

    func drover(_ words: String...) async throws -> Command {
        try await Command.run(
            [Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words + ["-i", inventory]
                + vault)
    }

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Waits until the cluster has no findings.
    func awaitCluster() async throws {
        try await lab.awaitPatroni()
        let waiting = try await Command.run(
            ["sh", "-c", #"until "$@" | grep -q 'Nothing to complain about.'; do sleep 2; done"#, "sh"]
                + lab.command(["status", "-i", inventory] + vault), seconds: 90)
        let status = try await drover("status")
        try #require(waiting.status == 0, "\(status.everything)")
    }
}

extension LabSnapshot {
    /// The cluster of ``TLSSuite`` at work.
    static let safe = LabSnapshot("safe", hosts: 2, setUp: SafeCluster().deploy, settle: SafeCluster().settle)
}

private struct SafeCluster: TLSSuite {
    @Sendable func deploy() async throws {
        try writeInventory()
        let deployment = try await drover("apply", "deploy-cluster", "--yes")
        try #require(deployment.status == 0, "\(deployment.everything)")
    }

    /// The inventory names the folder of the lab, which is another one for each test.
    @Sendable func settle() async throws {
        try writeInventory()
        try await awaitCluster()
    }
}
