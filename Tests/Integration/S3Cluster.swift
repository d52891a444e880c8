import Testing

/// A cluster of two members that keep their backups in an S3-compatible store on pg3.
struct S3Cluster {
    let lab: TestLab

    init(lab: TestLab) { self.lab = lab }

    var store: ObjectStore { ObjectStore(lab: lab, host: "pg3", address: "10.70.0.13") }
    private var passphrase: String { lab.password(of: "passphrase") }
    var secrets: [String] { [store.key, store.secret, passphrase] }

    /// - Parameters:
    ///   - bucket: The bucket with the backups.
    ///   - endpoint: Another endpoint than that of the store.
    ///   - key: Another key than that which the store knows.
    func inventory(
        bucket: String = ObjectStore.bucket, endpoint: String? = nil, key: String? = nil
    ) throws -> String {
        let options = [
            ("bucket", bucket), ("endpoint", endpoint ?? store.endpoint), ("region", "eu-1"), ("uri-style", "path"),
            ("key", key ?? store.key), ("key-secret", store.secret),
        ]
        return try lab.inventory(
            named: "s3-\(bucket)\(endpoint == nil ? "" : "-elsewhere")\(key == nil ? "" : "-other-key")",
            with: [
                "pgbackrest_install: true", NoTimers.pgBackRest, "pgbackrest_repo_type: s3",
                "cluster_protected: false",
            ]
                + ["pgbackrest_conf:", "  global:"]
                + options.map { "    - { option: repo1-s3-\($0.0), value: '\($0.1)' }" } + [
                    "    - { option: repo1-storage-ca-file, value: \(ObjectStore.authority) }",
                    "    - { option: repo1-cipher-pass, value: \(passphrase) }",
                ],
            replacing: [
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ],
            groups: [("etcd_cluster", ["pg1"]), ("master", ["pg1"]), ("replica", ["pg2"])])
    }

    /// Starts the store, and gives the members what they need to trust it.
    func startStore() async throws {
        try await store.start()
        for host in ["pg1", "pg2"] { try await store.introduce(host) }
    }

    func expectNoSecret(in result: Command, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in secrets { #expect(!result.everything.contains(secret), sourceLocation: sourceLocation) }
    }
}

extension LabSnapshot {
    /// The cluster of ``S3Cluster``.
    ///
    /// The store is in memory, and so begins anew when the hosts boot. Patroni waits for it: PostgreSQL would not archive
    /// again for a minute.
    static let s3 = LabSnapshot(
        "store", hosts: 3,
        setUp: {
            let cluster = S3Cluster(lab: TestLab.current)
            try await cluster.startStore()
            let deployment = try await cluster.lab.apply(try cluster.inventory())
            try #require(deployment.status == 0, "\(deployment.everything)")
            for host in ["pg1", "pg2"] {
                try await cluster.lab.must(
                    on: host,
                    """
                    cat >/etc/systemd/system/patroni.service.d/store.conf <<'END'
                    [Unit]
                    ConditionPathExists=/run/store
                    END
                    systemctl daemon-reload
                    """)
            }
            try await awaitS3Cluster()
            try await cluster.store.keep()
        }, settle: awaitS3Cluster)

    @Sendable private static func awaitS3Cluster() async throws {
        let cluster = S3Cluster(lab: TestLab.current)
        try await cluster.store.start()
        for host in ["pg1", "pg2"] {
            try await cluster.lab.must(on: host, "touch /run/store; systemctl start patroni")
        }
        try await cluster.lab.awaitPatroni()
        try await cluster.lab.eventually("the cluster is whole", inventory: try cluster.inventory()) { status in
            status.findings.isEmpty && status.members.allSatisfy { $0.lag == 0 || $0.role == "leader" }
        }
    }
}
