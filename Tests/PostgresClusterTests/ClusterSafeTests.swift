import Certificates
import Diagnostics
import Engine
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
        #expect(
            first.made == ["patroni_superuser_password", "pgbouncer_auth_password", "patroni_restapi_password"])
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
        #expect(logins[0][0].count == 32 && logins[0][1] == "given" && logins[0][2].count == 32)
        let diagnostic = #expect(throws: Diagnostic.self) { try ClusterSafe(for: inventory(in: folder)) }
        #expect(diagnostic?.description.contains("there is no password for it") == true)
    }

    @Test("an inventory that gives all passwords needs no file")
    func nothingToMake() throws {
        let safe = try ClusterSafe(for: inventory(in: folder(Sample.variables + ["patroni_restapi_password: r"])))
        #expect(safe.made.isEmpty && safe.files.isEmpty)
    }

    @Test("without a vault password passwords are generated into a file that its owner alone can read")
    func withoutVault() throws {
        let folder = try folder(["patroni_cluster_name: demo", "pgbouncer_auth_password: ''"])
        let safe = try ClusterSafe(for: inventory(in: folder))
        #expect(safe.made == ClusterSafe.names)
        #expect(!safe.isEncrypted && safe.inventory.has("pgbouncer_auth_password"))
        for file in safe.files { try file.write() }
        let again = try ClusterSafe(for: inventory(in: folder))
        #expect(again.made.isEmpty && again.files.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/secrets/demo/passwords.yml")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test("a file of an earlier version gets the passwords that it lacks, and keeps everything else")
    func addedPassword() throws {
        let folder = try folder(["patroni_cluster_name: demo"])
        let path = folder.path + "/secrets/demo/passwords.yml"
        let earlier =
            "# ours\npatroni_superuser_password: 's'\npatroni_replication_password: r\npgbouncer_auth_password: p\n"
        let password = VaultPasswords.Password(label: "prod", Secret("other"))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/secrets/demo", withIntermediateDirectories: true)
        try VaultText(encrypting: Array(earlier.utf8), with: password.secret, label: password.label).description
            .write(toFile: path, atomically: true, encoding: .utf8)
        let vault = VaultPasswords([.init(Secret("v")), password])
        let safe = try ClusterSafe(for: inventory(in: folder, vault))
        #expect(safe.made == ["patroni_restapi_password"])
        for file in safe.files { try file.write() }
        let text = try VaultText(String(contentsOfFile: path, encoding: .utf8), at: nil)
        #expect(text.label == "prod")
        let plain = try VaultPasswords([password]).text(of: text, "the file", at: nil)
        #expect(plain.hasPrefix(earlier + "patroni_restapi_password: ") && plain.count == earlier.count + 59)
        // Another run that has read the earlier file does not replace this one.
        #expect(throws: Diagnostic.self) { try safe.files[0].write() }
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
        try safe.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
        #expect(isEmpty(folder))
        for file in safe.files { try file.write() }
        let key = try String(contentsOfFile: folder.path + "/secrets/demo/ca.key")
        #expect(VaultText.isIn(key) == isLocked)

        var again = try ClusterSafe(for: inventory(in: folder, vault))
        try again.openAuthorities(of: "demo", hasEtcd: true, at: Self.now + 1)
        #expect(again.files.isEmpty && again.authority?.hindrance == nil)
        #expect(try again.authority?.0.trust == safe.authority?.0.trust)
        #expect(try again.authority?.0.privateKey == safe.authority?.0.privateKey)

        var closed = try ClusterSafe(for: inventory(in: folder))
        try closed.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
        #expect((closed.authority?.hindrance != nil) == isLocked)
    }

    @Test(
        "a run that died between the key and the certificate of the authority is completed", arguments: [true, false])
    func halfAnAuthority(isLocked: Bool) throws {
        let folder = try folder(Sample.variables)
        let vault = isLocked ? Self.vault : VaultPasswords()
        func open() throws -> ClusterSafe {
            var safe = try ClusterSafe(for: inventory(in: folder, vault))
            try safe.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
            return safe
        }
        let first = try open()
        let key = try #require(first.files.first { $0.path.hasSuffix("/ca.key") })
        try key.write()
        for file in try open().files { try file.write() }
        let third = try open()
        #expect(third.files.isEmpty && third.authority?.hindrance == nil)
        #expect(try third.authority?.0.privateKey == first.authority?.0.privateKey)
    }

    @Test("a file is on the disk before it has its name, and its name before the run goes on")
    func synced() throws {
        let folder = try TemporaryDirectory([:])
        let file = SecretFile(path: folder.path + "/secrets/demo/ca.key", content: Secret("k"))
        var states: [Bool] = []
        try file.write { _ in states.append(FileManager.default.fileExists(atPath: file.path)) }
        #expect(states == [false, true, true, true])
        let other = SecretFile(path: file.path, content: Secret("l"), replaced: Secret("k"))
        var contents: [String] = []
        try other.write { _ in contents.append(try String(contentsOfFile: file.path, encoding: .utf8)) }
        #expect(contents == ["k", "l", "l", "l"])
    }

    @Test("a run that dies at any sync leaves what the next run goes on with")
    func killed() throws {
        for count in 0..<4 {
            let folder = try folder(Sample.variables)
            var safe = try ClusterSafe(for: inventory(in: folder, Self.vault))
            try safe.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
            var left = count
            for file in safe.files {
                try? file.write { _ in
                    left -= 1
                    if left < 0 { throw CancellationError() }
                }
            }
            var next = try ClusterSafe(for: inventory(in: folder, Self.vault))
            try next.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
            for file in next.files { try file.write() }
            var last = try ClusterSafe(for: inventory(in: folder, Self.vault))
            try last.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
            #expect(last.files.isEmpty && last.authority?.hindrance == nil)
        }
    }

    @Test("an authority that is none is told")
    func rubbish() throws {
        let folder = try TemporaryDirectory([
            "hosts.yml": Sample.text(), "secrets/demo/ca.crt": "x", "secrets/demo/ca.key": "y",
        ])
        var safe = try ClusterSafe(for: inventory(in: folder))
        let diagnostic = #expect(throws: Diagnostic.self) {
            try safe.openAuthorities(of: "demo", hasEtcd: true, at: Self.now)
        }
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
