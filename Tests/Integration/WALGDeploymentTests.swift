import Testing

/// A deployment with backups of WAL-G, on hosts that have the packages of a cluster and nothing else.
@Suite("Deployment with backups of WAL-G, by a stand-in", .lab(of: 1, isPrepared: true))
struct WALGDeploymentTests {
    private var lab: TestLab { TestLab.current }

    @Test("a cluster is set up with a first backup, and no key is seen")
    func deploy() async throws {
        let inventory = try WALGCluster(lab: lab).inventory()
        let key = WALGCluster.key
        let (result, found) = try await SecretWatch.watching(for: [key]) { try await lab.apply(inventory) }
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        #expect(!result.everything.contains(key))
        #expect(result.output.contains("✓ pg1: make the first full backup"), "\(result.output)")
        #expect(
            try await lab.must(on: "pg1", "stat -c '%U %a' /var/lib/postgresql/.walg.json /usr/local/bin/wal-g")
                == "postgres 600\nroot 755\n")
        expectNothingChanged(try await lab.apply(inventory))
    }
}
