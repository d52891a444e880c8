import FoundationEssentials
import SwiftASN1
import X509

/// A certificate as a host has it.
public struct HostCertificate: Sendable {
    private let certificate: Certificate

    /// - Parameter text: in PEM; what stands behind the first certificate is its authority's.
    /// - Returns: nil when there is none in it.
    public init?(_ text: String) {
        guard let document = try? PEMDocument.parseMultiple(pemString: text).first,
            let certificate = try? Certificate(pemDocument: document)
        else { return nil }
        self.certificate = certificate
    }

    /// When it ends, in seconds since 1970.
    public var end: Int { Int(certificate.notValidAfter.timeIntervalSince1970) }

    /// When it was issued, in seconds since 1970, if ``CertificateAuthority`` has issued it.
    public var issued: Int {
        CertificateAuthority.issue(ofValidityFrom: Int(certificate.notValidBefore.timeIntervalSince1970))
    }

    /// The host names and IPv4 addresses for which it stands.
    public var names: Set<String> {
        Set(((try? certificate.extensions.subjectAlternativeNames) ?? .init()).compactMap(\.host))
    }

    /// Whether it is that of a key.
    ///
    /// - Parameter publicKey: in PEM.
    public func isOf(publicKey: String) -> Bool {
        (try? Certificate.PublicKey(pemEncoded: publicKey)) == certificate.publicKey
    }

    /// Whether an authority has issued it with the key that it issues with now.
    public func isIssued(by authority: CertificateAuthority) -> Bool { authority.hasIssued(certificate) }

    /// Whether who trusts all that an authority has to be trusted accepts it.
    public func isTrusted(by authority: CertificateAuthority) -> Bool { authority.trusts(certificate) }
}

extension GeneralName {
    /// An IPv4 address, or else a host name.
    init(host: String) {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = numbers.compactMap(\.self)
        self =
            numbers.count == 4 && bytes.count == 4
            ? .ipAddress(ASN1OctetString(contentBytes: bytes[...])) : .dnsName(host)
    }

    /// Nil for what is neither.
    var host: String? {
        switch self {
        case .dnsName(let name): name
        case .ipAddress(let address): address.bytes.map(String.init).joined(separator: ".")
        default: nil
        }
    }
}
