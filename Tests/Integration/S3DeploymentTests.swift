import Testing

/// Deployments with backups in S3, on hosts that have the packages of a cluster and nothing else.
@Suite("Deployment with backups in S3", .lab(of: 3, isPrepared: true))
struct S3DeploymentTests {
    private var lab: TestLab { TestLab.current }
    private var cluster: S3Cluster { S3Cluster(lab: lab) }

    @Test("a store that cannot be used is refused before anything changes: exit code 9")
    func unusable() async throws {
        try await cluster.startStore()
        let nobody = "10.70.0.13:9444"
        for (inventory, complaint, remedy) in [
            (
                try cluster.inventory(endpoint: nobody),
                "the bucket 'backups' at \(nobody): unable to connect to '\(nobody)': [111] Connection refused",
                "correct repo1-s3-endpoint"
            ),
            (
                try cluster.inventory(bucket: "nowhere"),
                "the bucket 'nowhere' at \(cluster.store.endpoint): HTTP request failed with 404 (NOT FOUND): NoSuchBucket, ",
                "create the bucket, or correct repo1-s3-bucket"
            ),
            (
                try cluster.inventory(key: "stranger"),
                "failed with 403 (Forbidden): InvalidAccessKeyId, No such key.", "correct repo1-s3-key"
            ),
        ] {
            let result = try await lab.apply(inventory)
            #expect(result.status == 9, "\(result.everything)")
            #expect(
                result.errors.contains("refused: pg1, pg2 cannot use the store of the backups, "), "\(result.errors)")
            #expect(result.errors.contains(complaint), "\(result.errors)")
            #expect(result.errors.contains(remedy), "\(result.errors)")
            cluster.expectNoSecret(in: result)
        }
        let touched =
            "ls -d /etc/patroni/config.yml /etc/default/etcd.initial /var/lib/postgresql/15; grep s3 /etc/pgbackrest.conf"
        #expect(try await lab.shell(on: "pg1", touched).output == "")
    }

    @Test("a deployment ends with a full backup there; no key is seen, and the store has nothing that can be read")
    func deploy() async throws {
        try await cluster.startStore()
        let inventory = try cluster.inventory()
        let (result, found) = try await SecretWatch.watching(for: cluster.secrets) { try await lab.apply(inventory) }
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        cluster.expectNoSecret(in: result)
        #expect(Steps.applied(in: result.output).contains("pg1: make the first full backup"))
        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await lab.backups(inventory).map(\.type) == ["full"])
        #expect(try await cluster.store.contents().contains("<Key>pgbackrest/backup/lab/backup.info</Key>"))
        let status = try await lab.drover("status", "-i", inventory)
        #expect(status.output.contains("\nhealthy  "), "\(status.everything)")
        #expect(status.output.contains("Nothing to complain about."), "\(status.everything)")
        for host in ["pg1", "pg2"] {
            #expect(try await lab.must(on: host, "stat -c '%U %a' /etc/pgbackrest.conf") == "postgres 640\n")
        }
    }
}
