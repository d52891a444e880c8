import Crypto
public import Diagnostics
import FoundationEssentials
public import Secrets
import SwiftASN1
import X509

/// Who vouches for the hosts: the certificates that they trust, and, where it is at hand, the key that issues new ones.
public struct CertificateAuthority: Sendable {
    /// Those that are trusted. The first one issues.
    private let certificates: [Certificate]
    private let key: Certificate.PrivateKey?

    /// For how long an authority is good, and for how long what it issues, in seconds.
    private static let (lifetime, lifetimeOfIssued) = (3650 * day, 825 * day)
    private static let day = 86_400

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - name: for people.
    ///   - key: its key in PEM; nil makes one.
    ///   - now: seconds since 1970.
    /// - Throws: a `Diagnostic` when the key is none.
    public init(named name: String, key text: Secret? = nil, at now: Int) throws {
        let key = try text.map(Self.privateKey) ?? Certificate.PrivateKey(P256.Signing.PrivateKey())
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Self.date(now - Self.day), notValidAfter: Self.date(now + Self.lifetime),
            issuer: subject, subject: subject,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            }, issuerPrivateKey: key)
        certificates = [certificate]
        self.key = key
    }

    /// Reads one.
    ///
    /// - Parameters:
    ///   - text: one or more certificates in PEM: the one that issues first, then others that are trusted too.
    ///   - key: the key of the first one in PEM; nil when it is not at hand.
    /// - Throws: a `Diagnostic` when they are none, or the key is not that of the certificate.
    public init(certificates text: String, key: Secret?) throws(Diagnostic) {
        let read = try? PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
        guard let certificates = read, let issuer = certificates.first else {
            throw Diagnostic("there is no certificate in PEM")
        }
        self.certificates = certificates
        guard let key else {
            self.key = nil
            return
        }
        let privateKey = try Self.privateKey(key)
        guard privateKey.publicKey == issuer.publicKey else {
            throw Diagnostic("the key is not that of the first certificate")
        }
        self.key = privateKey
    }

    private static func privateKey(_ text: Secret) throws(Diagnostic) -> Certificate.PrivateKey {
        guard let key = try? Certificate.PrivateKey(pemEncoded: text.reveal()) else {
            throw Diagnostic("there is no private key in PEM")
        }
        return key
    }

    /// What hosts are to trust, in PEM.
    public var trust: String {
        get throws { try certificates.map { try $0.serializeAsPEM().pemString + "\n" }.joined() }
    }

    /// The key in PEM; nil when it is not at hand.
    public var privateKey: Secret? {
        get throws { try key.map { Secret(try $0.serializeAsPEM().pemString + "\n") } }
    }

    /// When the one that issues ends, in seconds since 1970.
    public var end: Int { Int(certificates[0].notValidAfter.timeIntervalSince1970) }

    /// Whether somebody who trusts what stands in a text in PEM trusts what this issues.
    public func isTrusted(in text: String) -> Bool {
        let trusted = (try? PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }) ?? []
        return trusted.contains(certificates[0])
    }

    /// Whether the first of its certificates has issued a certificate.
    func hasIssued(_ certificate: Certificate) -> Bool { Self.signed(certificate, by: certificates[0]) }

    /// Whether a host that trusts all of its certificates trusts another one.
    func trusts(_ certificate: Certificate) -> Bool { certificates.contains { Self.signed(certificate, by: $0) } }

    private static func signed(_ certificate: Certificate, by issuer: Certificate) -> Bool {
        certificate.issuer == issuer.subject
            && issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    /// Issues a certificate to whom a public key belongs, for a server as well as for a client.
    ///
    /// - Parameters:
    ///   - names: host names and IPv4 addresses, the first one for people too.
    ///   - publicKey: in PEM.
    ///   - now: seconds since 1970.
    /// - Returns: it in PEM, and behind it the authority's own where that is not the root; nil without the key.
    /// - Throws: when the public key is none.
    public func issue(to names: [String], publicKey: String, at now: Int) throws -> String? {
        guard let key, let issuer = certificates.first else { return nil }
        let publicKey = try Certificate.PublicKey(pemEncoded: publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            // The clocks of hosts may be behind.
            notValidBefore: Self.date(now - Self.day),
            notValidAfter: Self.date(min(now + Self.lifetimeOfIssued, end)),
            issuer: issuer.subject, subject: DistinguishedName { CommonName(names.first ?? "") },
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth, .clientAuth])
                SubjectAlternativeNames(names.map(GeneralName.init(host:)))
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuer.publicKey).keyIdentifier)
            }, issuerPrivateKey: key)
        let chain = issuer.issuer == issuer.subject ? [certificate] : [certificate, issuer]
        return try chain.map { try $0.serializeAsPEM().pemString + "\n" }.joined()
    }

    /// When a certificate was issued that is valid from some moment on.
    static func issue(ofValidityFrom begin: Int) -> Int { begin + day }

    private static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}
