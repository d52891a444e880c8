public import Diagnostics
import FoundationEssentials
public import Inventory
import Secrets

/// New secrets in place of those that Drover has generated for a cluster.
///
/// They replace the old ones beside the inventory at once. The next `deploy-cluster` brings them to the hosts, whichever of
/// both each of these has: it sets passwords as the local superuser, so that it needs no old one.
public struct SecretRotation: Sendable {
    /// What can be rotated.
    public static let names = ClusterSafe.names + [certificates]
    private static let certificates = "certificates"

    /// What is rotated.
    public let rotated: [String]
    /// What Drover cannot rotate because the inventory gives it, and where.
    public let given: [(name: String, location: SourceLocation)]
    private let files: [SecretFile]

    /// - Parameters:
    ///   - names: some of ``names``; nil rotates all that the inventory does not give.
    ///   - inventory: the whole inventory of the cluster.
    ///   - now: seconds since 1970.
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory, or a `Diagnostic` if a name cannot be rotated.
    public init(of names: [String]?, in inventory: Inventory, at now: Int) throws {
        let configuration = try ClusterConfiguration(inventory)
        let inventory = inventory.withoutEmpty(Self.names)
        let issues = configuration.tls?.isIssued == true
        let wanted = names ?? ClusterSafe.names
        given = wanted.compactMap { name in
            inventory.hosts.lazy.compactMap { $0.variables[name] }.first.map { (name, $0.location) }
        }
        rotated = wanted.filter { !inventory.has($0) }
        var diagnostics = Diagnostics()
        for name in wanted where !Self.names.contains(name) {
            diagnostics.report(
                "'\(name)' is not a secret of a cluster",
                remedy: Suggestion.remedy(for: name, among: Set(Self.names))
                    ?? "name some of \(Self.names.joined(separator: ", "))")
        }
        if wanted.contains(Self.certificates), !issues {
            diagnostics.report(
                "the cluster '\(configuration.name)' has no certificates that Drover issues",
                remedy: "replace your own in /etc/ssl/drover, and run 'drover apply deploy-cluster'")
        }
        if wanted.contains(Self.certificates), wanted.count > 1 {
            // Patroni 3.0.2 does not notice a new certificate in a reload that also brings another configuration.
            diagnostics.report(
                "certificates cannot be rotated together with passwords",
                remedy: "rotate and deploy one after the other")
        }
        if names != nil {
            for (name, location) in given {
                diagnostics.report(
                    "the inventory gives '\(name)', so Drover cannot generate it", at: location,
                    remedy: "write another value there and run 'drover apply deploy-cluster'")
            }
        }
        if configuration.patroni.standby != nil, !Set(rotated).isDisjoint(with: ClusterSafe.rolePasswords) {
            diagnostics.report(
                "'\(configuration.name)' is a standby cluster, which has the passwords of the cluster that it replicates",
                remedy: "rotate them there, and copy its passwords.yml")
        }
        try diagnostics.throwIfAny()
        guard let folder = ClusterSafe.folder(of: inventory), !rotated.isEmpty else {
            files = []
            return
        }
        let passwords = rotated.filter { $0 != Self.certificates }
        let certificates =
            rotated.contains(Self.certificates) ? [try CertificateRotation(in: folder).file(at: now)] : []
        guard !passwords.isEmpty else {
            files = certificates
            return
        }
        var file = try PasswordFile(in: folder, vault: inventory.passwords)
        guard file.exists else {
            throw Diagnostic(
                "'\(file.path)' does not exist: Drover has generated no secrets for the cluster",
                remedy: "run 'drover apply deploy-cluster' first, or bring the file back")
        }
        try file.generate(passwords)
        files = [try file.file()] + certificates
    }

    /// Replaces the secrets beside the inventory.
    ///
    /// - Throws: a `Diagnostic` if that fails; then the old ones stay.
    public func write() throws(Diagnostic) {
        for file in files { try file.write() }
    }
}
