import Foundation
import Testing

/// The inventories of clusters whose backups WAL-G makes, in folders of pg1.
///
/// WAL-G itself is not among Debian's packages: `Support/wal-g-stand-in` takes its place.
struct WALGCluster {
    let lab: TestLab

    static let program = URL(filePath: #filePath).deletingLastPathComponent().path + "/Support/wal-g-stand-in"
    static let key = "lab-walg-libsodium"

    /// - Parameters:
    ///   - archive: The name of the cluster, and of the folder of its backups.
    ///   - replicas: Beside pg1, each with a folder of its own, which a test makes look like a shared one.
    func inventory(_ archive: String = "lab", _ variables: [String] = [], replicas: [String] = []) throws -> String {
        try lab.inventory(
            named: archive,
            with: [
                "wal_g_install: true", "wal_g_file: \(Self.program)", "wal_g_repo_shared: true",
                "wal_g_json: { WALG_FILE_PREFIX: /srv/\(archive), WALG_LIBSODIUM_KEY: \(Self.key) }",
                "wal_g_retention_full: 1", NoTimers.walG, "cluster_protected: false",
            ] + variables,
            replacing: [
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
                ("patroni_cluster_name: lab\n", "patroni_cluster_name: \(archive)\n"),
            ],
            groups: [("etcd_cluster", ["pg1"]), ("master", ["pg1"]), ("replica", replicas)])
    }

    /// The inventory of a cluster that begins with the backups of the cluster `lab`.
    func copy(_ variables: String..., replicas: [String] = []) throws -> String {
        try inventory(
            "copy",
            ["patroni_cluster_bootstrap_method: wal-g", "wal_g_source_json: { WALG_FILE_PREFIX: /srv/lab }"]
                + variables, replicas: replicas)
    }
}

extension LabSnapshot {
    /// A cluster of one member, pg1, whose backups WAL-G makes.
    static let walg = LabSnapshot(
        "walg", hosts: 2,
        setUp: {
            let lab = TestLab.current
            let deployment = try await lab.apply(try WALGCluster(lab: lab).inventory())
            try #require(deployment.status == 0, "\(deployment.everything)")
        },
        settle: {
            let lab = TestLab.current
            try await lab.eventually("the member is at work", inventory: try WALGCluster(lab: lab).inventory()) {
                $0.leader == "pg1" && $0.findings.isEmpty
            }
        })
}
