import Certificates
import Diagnostics
import Drover
import FoundationEssentials
import Inventory
import Secrets
import Vault
import YAML

/// What is kept beside the inventory for one cluster, in `secrets/NAME/`: the passwords that the inventory does not give, and
/// the authority that issues certificates. What is missing is made, in memory: it is written when a plan is approved.
struct ClusterSafe: Sendable {
    /// The passwords that a cluster cannot be without.
    static let names = ["patroni_superuser_password", "patroni_replication_password", "pgbouncer_auth_password"]

    /// The inventory with the passwords that it does not give itself.
    let inventory: Inventory
    /// The names of the passwords that were made just now.
    let made: [String]
    /// The authority, and why it cannot issue; nil without TLS.
    private(set) var authority: (CertificateAuthority, hindrance: Refusal?)?
    /// What is to be written when the plan is approved.
    private(set) var files: [NewFile] = []
    /// Where all of it is; nil when the cluster has no name.
    private let folder: String?

    /// Sees to the passwords.
    ///
    /// - Throws: a `Diagnostic` when what is kept cannot be read.
    init(for inventory: Inventory) throws {
        // Empty is what autobase has for passwords that are to be made up.
        let inventory = inventory.withoutEmpty(Self.names)
        folder = Self.folder(of: inventory)
        let missing = Self.names.filter { !inventory.has($0) }
        guard let folder, !missing.isEmpty else {
            (self.inventory, made) = (inventory, [])
            return
        }
        let path = "\(folder)/passwords.yml"
        let place = SourceLocation(file: path, line: 1, column: 1)
        if FileManager.default.fileExists(atPath: path) {
            made = []
            self.inventory = inventory.giving(try Self.read(path, inventory.passwords, at: place), from: place)
            return
        }
        guard let password = inventory.passwords.all.first else {
            // That they are missing is told with everything else that is wrong.
            (self.inventory, made) = (inventory, [])
            return
        }
        let fresh = Dictionary(uniqueKeysWithValues: missing.map { ($0, Self.random()) })
        made = missing
        self.inventory = inventory.giving(fresh, from: place)
        let text = missing.compactMap { name in fresh[name].map { "\(name): \($0.reveal())\n" } }.joined()
        let encrypted = try VaultText(encrypting: Array(text.utf8), with: password.secret, label: password.label)
        files.append(NewFile(path: path, content: Secret(encrypted.description)))
    }

    /// Where what belongs to the cluster of an inventory is kept.
    private static func folder(of inventory: Inventory) -> String? {
        let name = inventory.hosts.lazy.compactMap { $0.variables["patroni_cluster_name"]?.node.text }.first
        guard let name, ClusterConfiguration.Patroni.isScope(name) else { return nil }
        return "\(inventory.directory)secrets/\(name)"
    }

    private static func read(
        _ path: String, _ passwords: VaultPasswords, at place: SourceLocation
    ) throws -> [String: Secret] {
        let text = try TextFile.read(path)
        let plain =
            VaultText.isIn(text) ? try passwords.text(of: VaultText(text, at: place), "the file", at: place) : text
        guard case .mapping(let entries)? = try YAML.parse(plain, file: path)?.value else { return [:] }
        return Dictionary(
            entries.compactMap { entry in
                entry.key.text.flatMap { key in entry.value.text.map { (key, Secret($0)) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// As hard to guess as a key of 190 bits, and without a sign that means something anywhere.
    private static func random() -> Secret {
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        return Secret(String((0..<32).compactMap { _ in signs.randomElement() }))
    }

    /// Sees to the authority.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: a `Diagnostic` when what is kept cannot be read.
    mutating func openAuthority(of cluster: String, at now: Int) throws {
        guard let folder else { return }
        let (certificate, key) = ("\(folder)/ca.crt", "\(folder)/ca.key")
        guard FileManager.default.fileExists(atPath: certificate) else {
            let new = try CertificateAuthority(named: "\(cluster) (Drover)", at: now)
            authority = (new, nil)
            if let text = try new.privateKey { files.append(NewFile(path: key, content: try locked(text))) }
            files.append(NewFile(path: certificate, content: Secret(try new.trust)))
            return
        }
        var (text, hindrance): (Secret?, Refusal?) = (nil, nil)
        do {
            let place = SourceLocation(file: key, line: 1, column: 1)
            let found = try TextFile.read(key)
            text = Secret(
                VaultText.isIn(found)
                    ? try inventory.passwords.text(of: VaultText(found, at: place), "the file", at: place) : found)
        } catch {
            hindrance = Refusal(
                "certificates are to be issued, and the key of their authority is not to be had: \(error)",
                remedies: ["bring it back, or give the vault password under which it is encrypted"])
        }
        do {
            authority = (
                try CertificateAuthority(certificates: TextFile.read(certificate), key: text), hindrance
            )
        } catch {
            throw Diagnostic("the authority in '\(folder)' (ca.crt, ca.key) cannot be used: \(error)")
        }
    }

    /// Encrypted, when there is a password for that; it is readable by its owner alone in any case.
    private func locked(_ secret: Secret) throws -> Secret {
        guard let password = inventory.passwords.all.first else { return secret }
        return Secret(
            try VaultText(encrypting: Array(secret.reveal().utf8), with: password.secret, label: password.label)
                .description)
    }
}
