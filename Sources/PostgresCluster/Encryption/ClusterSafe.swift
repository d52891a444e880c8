import Certificates
import Diagnostics
import Engine
import FoundationEssentials
import Inventory
import Secrets
import Vault
import YAML

/// What is kept beside the inventory for one cluster, in `secrets/NAME/`: the passwords that the inventory does not give, and
/// the authorities that issue certificates. What is missing is made, in memory: it is written when a plan is approved.
struct ClusterSafe: Sendable {
    /// The passwords of database roles. A running cluster gets no others because they are lost.
    static let rolePasswords = [
        "patroni_superuser_password", "patroni_replication_password", "pgbouncer_auth_password",
    ]
    /// Those that only the cluster's own daemons use, so that a running cluster may get others at any time.
    static let daemonPasswords = ["patroni_restapi_password"]
    /// All passwords that are generated where the inventory does not give them.
    static let names = rolePasswords + daemonPasswords

    /// The inventory with the passwords that it does not give itself.
    let inventory: Inventory
    /// The names of the passwords that were made just now.
    let made: [String]
    /// The authority, and why it cannot issue; nil without TLS.
    private(set) var authority: (CertificateAuthority, hindrance: Refusal?)?
    /// The same for etcd. Only etcd and its clients use this CA, because each of its certificates opens etcd.
    private(set) var etcdAuthority: (CertificateAuthority, hindrance: Refusal?)?
    /// Certificates from before this are replaced together with their keys, in seconds since 1970; nil replaces none.
    private(set) var certificatesReplacedBefore: Int?
    /// What is to be written when the plan is approved.
    private(set) var files: [SecretFile] = []
    /// Whether the passwords are kept encrypted.
    private(set) var isEncrypted = true
    /// Why the daemons' own passwords cannot be read; nil when they can. What writes no file with them does without.
    private(set) var obstacle: Diagnostic?
    /// Where all of it is; nil when the cluster has no name.
    private let folder: String?

    /// Sees to the passwords.
    ///
    /// - Throws: a `Diagnostic` when what is kept cannot be read.
    init(for inventory: Inventory) throws {
        // Empty is what autobase has for passwords that are to be made up.
        let inventory = inventory.completed(with: ClusterDefaults.values).withoutEmpty(Self.names)
        folder = Self.folder(of: inventory)
        let missing = Self.names.filter { !inventory.has($0) }
        guard let folder, !missing.isEmpty else {
            (self.inventory, made) = (inventory, [])
            return
        }
        var file: PasswordFile
        do {
            file = try PasswordFile(in: folder, vault: inventory.passwords)
        } catch let obstacle as Diagnostic where missing.allSatisfy(Self.daemonPasswords.contains) {
            (self.inventory, made, self.obstacle) = (inventory, [], obstacle)
            return
        }
        // A file that lacks a database password was cut: that is reported with everything else that is wrong. Without a vault
        // password the file is readable by its owner alone, and the plan recommends encryption.
        let mayMakeRoles = !file.exists
        made = missing.filter {
            file.passwords[$0] == nil && (mayMakeRoles || Self.daemonPasswords.contains($0))
        }
        if !made.isEmpty {
            try file.generate(made)
            files.append(try file.file())
        }
        isEncrypted = file.isEncrypted
        self.inventory = inventory.giving(file.passwords, from: file.location)
    }

    /// Where what belongs to the cluster of an inventory is kept.
    static func folder(of inventory: Inventory) -> String? {
        let name = inventory.hosts.lazy.compactMap { $0.variables["patroni_cluster_name"]?.node.text }.first
        guard let name, ClusterConfiguration.Patroni.isScope(name) else { return nil }
        return "\(inventory.directory)secrets/\(name)"
    }

    /// Sees to the authorities.
    ///
    /// - Parameters:
    ///   - hasEtcd: whether the cluster has an etcd of its own.
    ///   - now: seconds since 1970.
    /// - Throws: a `Diagnostic` when what is kept cannot be read.
    mutating func openAuthorities(of cluster: String, hasEtcd: Bool, at now: Int) throws {
        guard let folder else { return }
        certificatesReplacedBefore = try CertificateRotation(in: folder).moment
        authority = try open("ca", named: "\(cluster) (Drover)", in: folder, at: now)
        if hasEtcd { etcdAuthority = try open("etcd-ca", named: "etcd of \(cluster) (Drover)", in: folder, at: now) }
    }

    /// Reads an authority, or makes one.
    ///
    /// - Parameter file: the name of its files without an ending.
    private mutating func open(
        _ file: String, named name: String, in folder: String, at now: Int
    ) throws -> (CertificateAuthority, hindrance: Refusal?) {
        let (certificate, key) = ("\(folder)/\(file).crt", "\(folder)/\(file).key")
        guard FileManager.default.fileExists(atPath: certificate) else {
            // A run that died between the two has left the key.
            let isBegun = FileManager.default.fileExists(atPath: key)
            let new = try CertificateAuthority(named: name, key: isBegun ? try unlocked(key) : nil, at: now)
            if !isBegun, let text = try new.privateKey {
                files.append(SecretFile(path: key, content: try locked(text)))
            }
            files.append(SecretFile(path: certificate, content: Secret(try new.trust)))
            return (new, nil)
        }
        var (text, hindrance): (Secret?, Refusal?) = (nil, nil)
        do {
            text = try unlocked(key)
        } catch {
            hindrance = Refusal(
                "certificates are to be issued, and the key of their authority is not to be had: \(error)",
                remedies: ["bring it back, or give the vault password under which it is encrypted"])
        }
        do {
            return (try CertificateAuthority(certificates: TextFile.read(certificate), key: text), hindrance)
        } catch {
            throw Diagnostic("the authority in '\(folder)' (\(file).crt, \(file).key) cannot be used: \(error)")
        }
    }

    /// The content of a file, decrypted if it is encrypted.
    private func unlocked(_ path: String) throws -> Secret {
        let place = SourceLocation(file: path, line: 1, column: 1)
        let found = try TextFile.read(path)
        return Secret(
            VaultText.isIn(found)
                ? try inventory.passwords.text(of: VaultText(found, at: place), "the file", at: place) : found)
    }

    /// Encrypted, when there is a password for that; it is readable by its owner alone in any case.
    private func locked(_ secret: Secret) throws -> Secret {
        guard let password = inventory.passwords.all.first else { return secret }
        return Secret(
            try VaultText(encrypting: Array(secret.reveal().utf8), with: password.secret, label: password.label)
                .description)
    }
}
