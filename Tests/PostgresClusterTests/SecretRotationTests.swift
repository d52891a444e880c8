import Diagnostics
import FoundationEssentials
import Inventory
import Secrets
import TestSupport
import Testing
import Vault

@testable import PostgresCluster

@Suite("Rotation of secrets")
struct SecretRotationTests {
    private static let vault = VaultPasswords([.init(Secret("v"))])

    private func inventory(in folder: TemporaryDirectory) throws -> Inventory {
        try Inventory.load(file: folder.path + "/hosts.yml", vault: Self.vault)
    }

    private func passwords(in folder: TemporaryDirectory) throws -> [String: Secret] {
        try PasswordFile(in: folder.path + "/secrets/demo", vault: Self.vault).passwords
    }

    /// An inventory whose passwords are generated, but for that of the replication.
    private func generated(_ more: [String] = []) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory([
            "hosts.yml": Sample.text(["patroni_cluster_name: demo", "patroni_replication_password: r"] + more)
        ])
        for file in try ClusterSafe(for: inventory(in: folder)).files { try file.write() }
        return folder
    }

    @Test("replaces what is named, at once, and keeps the others")
    func named() throws {
        let folder = try generated()
        let before = try passwords(in: folder)
        let rotation = try SecretRotation(of: ["pgbouncer_auth_password"], in: inventory(in: folder), at: 1_795_000_000)
        #expect(try passwords(in: folder) == before)
        try rotation.write()
        let after = try passwords(in: folder)
        #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == ["pgbouncer_auth_password"])
        #expect(after.count == 3)
        #expect(try ClusterSafe(for: inventory(in: folder)).made.isEmpty)
        // Another rotation that began earlier does not undo it.
        #expect(throws: Diagnostic.self) { try rotation.write() }
    }

    @Test("rotates all that the inventory does not give, and tells the rest")
    func all() throws {
        let folder = try generated()
        let before = try passwords(in: folder)
        let rotation = try SecretRotation(of: nil, in: inventory(in: folder), at: 1_795_000_000)
        try rotation.write()
        #expect(rotation.given.map(\.name) == ["patroni_replication_password"])
        #expect(rotation.given[0].location.line == 4)
        #expect(rotation.rotated.count == 3)
        try SecretRotation(of: ["certificates"], in: inventory(in: folder), at: 1_795_000_000).write()
        #expect(try CertificateRotation(in: folder.path + "/secrets/demo").moment == 1_795_000_000)
        #expect(try passwords(in: folder).allSatisfy { before[$0.key] != $0.value })
    }

    private static let faults: [(variables: [String], name: String, words: String)] = [
        ([], "patroni_replication_password", "hosts.yml:4:5: the inventory gives 'patroni_replication_password'"),
        (["tls_enable: false"], "certificates", "has no certificates that Drover issues"),
        ([], "patroni_superuser_pasword", "did you mean 'patroni_superuser_password'"),
        (
            ["patroni_standby_cluster: { host: 10.0.0.9, port: 5432 }"], "patroni_superuser_password",
            "'demo' is a standby cluster"
        ),
    ]

    @Test("refuses what it cannot rotate, and says where it stands", arguments: faults)
    func refuses(variables: [String], name: String, words: String) throws {
        let folder = try generated(variables)
        let before = try passwords(in: folder)
        let fault = #expect(throws: Diagnostics.self) {
            try SecretRotation(of: [name], in: inventory(in: folder), at: 1)
        }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
        #expect(try passwords(in: folder) == before)
    }

    @Test("refuses while nothing was generated")
    func nothing() throws {
        let folder = try TemporaryDirectory(["hosts.yml": Sample.text(["patroni_cluster_name: demo"])])
        let fault = #expect(throws: Diagnostic.self) { try SecretRotation(of: nil, in: inventory(in: folder), at: 1) }
        #expect(fault?.description.contains("run 'drover apply deploy-cluster' first") == true)
    }
}
