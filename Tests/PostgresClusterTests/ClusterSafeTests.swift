import Certificates
import Diagnostics
import Drover
import FoundationEssentials
import Inventory
import Secrets
import TestSupport
import Testing
import Vault

@testable import PostgresCluster

@Suite("What is kept beside the inventory")
struct ClusterSafeTests {
    private static let vault = VaultPasswords([.init(Secret("v"))])
    private static let now = 1_795_000_000

    private func inventory(
        in folder: TemporaryDirectory, _ vault: VaultPasswords = VaultPasswords()
    ) throws -> Inventory {
        try Inventory.load(file: folder.path + "/hosts.yml", vault: vault)
    }

    private func folder(_ variables: [String]) throws -> TemporaryDirectory {
        try TemporaryDirectory(["hosts.yml": Sample.text(variables)])
    }

    private func isEmpty(_ folder: TemporaryDirectory) -> Bool {
        !FileManager.default.fileExists(atPath: folder.path + "/secrets")
    }

    @Test("passwords are made up once, and written only when that is asked for")
    func passwords() throws {
        let folder = try folder([
            "patroni_cluster_name: demo", "patroni_replication_password: given", "patroni_superuser_password: ''",
        ])
        let first = try ClusterSafe(for: inventory(in: folder, Self.vault))
        #expect(first.made == ["patroni_superuser_password", "pgbouncer_auth_password"])
        #expect(isEmpty(folder))
        for file in first.files { try file.write() }
        let text = try String(contentsOfFile: folder.path + "/secrets/demo/passwords.yml")
        #expect(VaultText.isIn(text))
        let second = try ClusterSafe(for: inventory(in: folder, Self.vault))
        #expect(second.made.isEmpty && second.files.isEmpty)
        let logins = try [first, second].map { safe in
            let patroni = try ClusterConfiguration(safe.inventory).patroni
            return [patroni.superuser, patroni.replication, patroni.restLogin].map { $0.password.reveal() }
        }
        #expect(logins[0] == logins[1])
        #expect(logins[0][0].count == 32 && logins[0][1] == "given")
        let diagnostic = #expect(throws: Diagnostic.self) { try ClusterSafe(for: inventory(in: folder)) }
        #expect(diagnostic?.description.contains("there is no password for it") == true)
    }

    @Test("an inventory that gives all passwords needs no file, and one without a vault password gets none")
    func nothingToMake() throws {
        for variables in [Sample.variables, ["patroni_cluster_name: demo", "pgbouncer_auth_password: ''"]] {
            let safe = try ClusterSafe(for: inventory(in: folder(variables)))
            #expect(safe.made.isEmpty && safe.files.isEmpty)
            #expect(safe.inventory.has("pgbouncer_auth_password") == (variables == Sample.variables))
        }
    }

    @Test("two runs that make something at once do not take it from each other")
    func race() throws {
        let folder = try folder(["patroni_cluster_name: demo"])
        let safes = try (1...2).map { _ in try ClusterSafe(for: inventory(in: folder, Self.vault)) }
        try safes[0].files[0].write()
        #expect(throws: Diagnostic.self) { try safes[1].files[0].write() }
    }

    @Test("the authority is made once, and its key is encrypted where there is a password", arguments: [true, false])
    func authority(isLocked: Bool) throws {
        let folder = try folder(Sample.variables)
        let vault = isLocked ? Self.vault : VaultPasswords()
        var safe = try ClusterSafe(for: inventory(in: folder, vault))
        try safe.openAuthority(of: "demo", at: Self.now)
        #expect(isEmpty(folder))
        for file in safe.files { try file.write() }
        let key = try String(contentsOfFile: folder.path + "/secrets/demo/ca.key")
        #expect(VaultText.isIn(key) == isLocked)

        var again = try ClusterSafe(for: inventory(in: folder, vault))
        try again.openAuthority(of: "demo", at: Self.now + 1)
        #expect(again.files.isEmpty && again.authority?.hindrance == nil)
        #expect(try again.authority?.0.trust == safe.authority?.0.trust)
        #expect(try again.authority?.0.privateKey == safe.authority?.0.privateKey)

        var closed = try ClusterSafe(for: inventory(in: folder))
        try closed.openAuthority(of: "demo", at: Self.now)
        #expect((closed.authority?.hindrance != nil) == isLocked)
    }

    @Test("an authority that is none is told")
    func rubbish() throws {
        let folder = try TemporaryDirectory([
            "hosts.yml": Sample.text(), "secrets/demo/ca.crt": "x", "secrets/demo/ca.key": "y",
        ])
        var safe = try ClusterSafe(for: inventory(in: folder))
        let diagnostic = #expect(throws: Diagnostic.self) { try safe.openAuthority(of: "demo", at: Self.now) }
        #expect(diagnostic?.description.hasSuffix("there is no certificate in PEM") == true)
    }

    @Test("whether what runs is encrypted is read of both")
    func inUse() throws {
        let question = EncryptionInUse(etcdDirectory: "/e", dataDirectory: "/d")
        func answer(_ output: String) throws -> EncryptionInUse.Answer? {
            try EncryptionInUse.answers(to: [question], from: output)[question]
        }
        #expect(try answer("question\n") == .init())
        #expect(try answer("question\netcd TLS\npatroni plain\n") == .init(etcd: true, patroni: false))
        #expect(throws: UnreadableAnswer.self) { try answer("what\n") }
    }
}
