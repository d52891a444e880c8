import Diagnostics
import FoundationEssentials
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

/// `Releases/` has what postgresql_cluster 1.6.1 and 1.9.0 and autobase 2.1.0 and 2.6.0 ship: an inventory, `group_vars`, and
/// files of variables for `--extra-vars`. Addresses and passwords are others, and comments are left out.
@Suite("The files of postgresql_cluster and autobase")
struct ReleaseTests {
    static let releases = ["1.6.1", "1.9.0", "2.1.0", "2.6.0"]
    private static let folder = Sample.folder("Tests/PostgresClusterTests/Releases")

    /// What a person passes; `all` are also the files that the roles include by themselves.
    static func inventory(of release: String, all: Bool = true) throws -> Inventory {
        let root = "\(folder)/\(release)"
        let files = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasSuffix(".yml") }.sorted()
        let passed = all ? files : files.filter { ["main.yml", "system.yml", "common.yml"].contains($0) }
        return try Inventory.load(
            file: "\(root)/inventory", extraVariables: passed.map { "@\(root)/\($0)" })
    }

    @Test("ask for nothing that a cluster has not", arguments: releases, [false, true])
    func lint(release: String, all: Bool) throws {
        let review = try VariableReview(of: Self.inventory(of: release, all: all))
        let unsupported = review.unsupported.map { "\($0.variable.name): \($0.reason)" }
        #expect(unsupported.isEmpty, "\(unsupported.joined(separator: "\n"))")
        #expect(review.faults.isEmpty, "\(review.faults)")
    }

    @Test("make a cluster", arguments: releases)
    func configuration(release: String) throws {
        let configuration = try ClusterConfiguration(Self.inventory(of: release, all: false))
        #expect(configuration.members.count == 3)
        #expect(configuration.etcd.count == 3)
        #expect(configuration.name == "postgres-cluster")
    }

    @Test("have a verdict for each variable", arguments: releases)
    func verdicts(release: String) throws {
        let inventory = try Self.inventory(of: release)
        let review = try VariableReview(of: inventory)
        var verdicts: [String: String] = [:]
        for name in inventory.declaredVariables.map(\.name) { verdicts[name] = "unknown" }
        for name in review.referred { verdicts[name] = "read by others" }
        for name in review.understood { verdicts[name] = "understood" }
        for (variable, reason) in review.agreeing { verdicts[variable.name] = "agrees: \(reason)" }
        for (variable, reason) in review.unsupported { verdicts[variable.name] = "not supported: \(reason)" }
        let found = verdicts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
        let path = Sample.folder("Tests/PostgresClusterTests/Golden") + "/verdicts.\(release).txt"
        #expect(!verdicts.values.contains("unknown"), "\(verdicts.filter { $0.value == "unknown" }.keys)")
        if ProcessInfo.processInfo.environment["DROVER_WRITE_GOLDEN"] != nil {
            try found.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path) == found)
    }

    @Test(
        "say so when they ask for more",
        arguments: [
            ("pgbouncer_install=false", "every member has a pooler"),
            ("cloud_provider=aws", "hosts are taken as they are, and not made"),
            ("postgresql_data_checksums=false", "a new cluster has checksums"),
            (
                "patroni_superuser_username=root",
                "the superuser is 'postgres', the system user of Patroni"
            ),
        ])
    func more(assignment: String, reason: String) throws {
        let root = "\(Self.folder)/1.9.0"
        let inventory = try Inventory.load(
            file: "\(root)/inventory",
            extraVariables: ["main", "system"].map { "@\(root)/\($0).yml" } + [assignment])
        #expect(try VariableReview(of: inventory).unsupported.map(\.reason).contains(reason))
    }
}
