import Inventory

/// The files that a daemon is told for TLS.
struct TLSFiles: Codable {
    let certificate: String
    let key: String
    let authority: String

    /// - Parameter authority: whom the daemon trusts; nil for the authority of the identity.
    init(_ identity: HostIdentity, trusting authority: String? = nil) {
        (certificate, key) = (identity.certificate, identity.key)
        self.authority = authority ?? identity.authority
    }
}

extension Cluster {
    /// The file whose change daemons must notice that trust an authority; none without TLS.
    var trustFiles: [String] { configuration.tls == nil ? [] : [HostIdentity.authority] }

    /// The same for those that also have the identity of PostgreSQL. The key is never changed under them.
    var identityFiles: [String] { trustFiles + (configuration.tls == nil ? [] : [HostIdentity.postgres.certificate]) }

    /// What PostgreSQL is told for TLS, where the inventory does not tell it.
    var tlsParameters: [ClusterConfiguration.Parameter] {
        guard configuration.tls != nil else { return [] }
        let files = TLSFiles(.postgres)
        let given = configuration.postgres.parameters.map(\.name)
        return [
            ("ssl", "on"), ("ssl_cert_file", files.certificate), ("ssl_key_file", files.key),
            ("ssl_ca_file", files.authority),
        ].filter { !given.contains($0.0) }.map { .init(name: $0.0, value: $0.1) }
    }

    /// The packages that TLS wants.
    func encryptionPackages(of host: Host) -> [String] {
        configuration.tls == nil || configuration.identities(of: host).isEmpty ? [] : ["openssl"]
    }
}
