import Foundation
import Testing

/// Tests of two clusters in one inventory. `a` has three members, a VIP that follows its leader, and a cascading replica. `b`
/// has two members, is a standby cluster of `a`, and uses an external etcd.
protocol TwoClusters {}

extension LabSnapshot {
    private struct Setting: TwoClusters {}

    /// Clusters `a` and `b`, with a table `notes`. pg1 is the leader of `a`.
    static let topologies = LabSnapshot(
        "topologies", hosts: 5,
        setUp: {
            let tests = Setting()
            for cluster in ["a", "b"] {
                if cluster == "b" { try await tests.startOthersEtcd() }
                let result = try await tests.apply(cluster)
                try #require(result.status == 0, "\(result.everything)")
            }
            try await tests.createNotes()
        },
        settle: {
            let tests = Setting()
            for _ in 1...2 {
                try await tests.settled()
                try await tests.lab.makeLeader("pg1", inventory: tests.inventory(), cluster: "a")
            }
        })
}

extension TwoClusters {
    var lab: TestLab { TestLab.current }
    var address: String { "10.70.0.100" }
    var others: OthersEtcd { OthersEtcd(lab: lab, host: "pg1", address: "10.70.0.11") }

    /// The inventory of both clusters.
    ///
    /// - Parameters:
    ///   - following: Whether `b` is a standby cluster.
    ///   - etcd: The variables by which `b` reaches its etcd; nil for the external one.
    func inventory(following: Bool = true, etcd: String? = nil) throws -> String {
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

    func apply(_ cluster: String, following: Bool = true) async throws -> Command {
        try await lab.apply(inventory(following: following), "--cluster", cluster)
    }

    func status(_ cluster: String) async throws -> String {
        try await lab.drover("status", "-i", inventory(), "--cluster", cluster).output
    }

    /// Waits until both clusters are whole.
    func settled() async throws {
        for cluster in ["a", "b"] {
            try await lab.eventually("\(cluster) is whole", inventory: inventory(), cluster: cluster) { status in
                status.findings.isEmpty
                    && status.members.allSatisfy { ["leader", "standby_leader"].contains($0.role) || $0.lag == 0 }
            }
        }
    }

    /// The members of `b`.
    func standby() async throws -> (leader: String, replica: String) {
        let members = try await lab.status(inventory(), cluster: "b").members
        let leader = try #require(members.first { $0.role == "standby_leader" }?.name)
        return (leader, leader == "pg4" ? "pg5" : "pg4")
    }

    func startOthersEtcd() async throws {
        try await others.start(for: "/far/b/")
        try await others.put("/far/b2/leader", "somebody")
        for host in ["pg4", "pg5"] { try await others.introduce(host) }
    }

    func createNotes() async throws { _ = try await sql("CREATE TABLE notes (text text)", at: address) }

    func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }

    /// The names of the servers that stream from a member.
    func streams(from host: String) async throws -> [String] {
        let question = "SELECT application_name FROM pg_stat_replication ORDER BY 1"
        return try await lab.must(on: host, "cd /; su postgres -c \"psql -XAtc '\(question)'\"").linesOfOutput
    }

    /// Waits until a shell text succeeds.
    func wait(on host: String, _ test: String) async throws {
        try await lab.must(
            on: host,
            "deadline=$(( $(date +%s) + 120 )); until \(test); do [ \"$(date +%s)\" -lt \"$deadline\" ] || exit 1; done"
        )
    }

    /// Waits until a row of another member has reached this one.
    func waitForNote(_ text: String, at host: String) async throws {
        let ask = "psql -XAtc \\\"SELECT text FROM notes WHERE text = '\(text)'\\\" app"
        try await wait(on: host, "su postgres -c \"cd /; \(ask)\" | grep -q .")
    }

    func sql(_ statement: String, at host: String) async throws -> String {
        let result = try await Command.run(
            lab.inside("env") + [
                "PGPASSWORD=\(lab.password(of: "app"))", "psql", "-h", host, "-p", "6432", "-U", "app", "-XAtq", "-v",
                "ON_ERROR_STOP=1", "-c", statement, "app",
            ])
        try #require(result.status == 0, "\(statement): \(result.everything)")
        return result.output
    }
}
