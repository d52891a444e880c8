import Secrets
import Testing

@testable import Certificates

@Suite("Certificates")
struct CertificateTests {
    private static let now = 1_795_000_000
    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 | openssl pkey -pubout`
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJivoQCYwXNM0sSvLjqhPQlyGnceE
        fGdjC74HBv/+CFSR5SzjeALbJ+wtuSOFabE8G2XXbGF0AQ+6B0c60q/hQg==
        -----END PUBLIC KEY-----
        """
    private static let names = ["pg1", "10.0.0.1", "localhost"]

    @Test("what is issued stands for its names and its key, and is good for 825 days")
    func issued() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let text = try #require(try authority.issue(to: Self.names, publicKey: Self.publicKey, at: Self.now))
        let certificate = try #require(HostCertificate(text))
        #expect(certificate.names == Set(Self.names))
        #expect(certificate.isOf(publicKey: Self.publicKey))
        #expect(certificate.end == Self.now + 825 * 86_400)
        #expect(certificate.isIssued(by: authority) && certificate.isTrusted(by: authority))
        #expect(authority.isTrusted(in: try authority.trust))
    }

    @Test("nothing is good for longer than its authority")
    func end() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let later = authority.end - 86_400
        let text = try #require(try authority.issue(to: Self.names, publicKey: Self.publicKey, at: later))
        #expect(HostCertificate(text)?.end == authority.end)
    }

    @Test("an authority is what was written down of it")
    func reading() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let read = try CertificateAuthority(certificates: authority.trust, key: authority.privateKey)
        let text = try #require(try read.issue(to: Self.names, publicKey: Self.publicKey, at: Self.now))
        #expect(HostCertificate(text)?.isIssued(by: authority) == true)
        let keyless = try CertificateAuthority(certificates: authority.trust, key: nil)
        #expect(try keyless.issue(to: Self.names, publicKey: Self.publicKey, at: Self.now) == nil)
    }

    @Test("another authority of the same name has not issued it, and is trusted where it stands behind the first")
    func others() throws {
        let old = try CertificateAuthority(named: "demo", at: Self.now)
        let new = try CertificateAuthority(named: "demo", at: Self.now)
        let text = try #require(try old.issue(to: Self.names, publicKey: Self.publicKey, at: Self.now))
        let certificate = try #require(HostCertificate(text))
        #expect(!certificate.isIssued(by: new) && !certificate.isTrusted(by: new))
        let both = try CertificateAuthority(certificates: new.trust + old.trust, key: new.privateKey)
        #expect(!certificate.isIssued(by: both) && certificate.isTrusted(by: both))
        #expect(try both.isTrusted(in: new.trust))
        #expect(try !both.isTrusted(in: old.trust))
    }

    @Test("what is no authority is said to be none")
    func faults() throws {
        let (one, other) = (try CertificateAuthority(named: "a", at: 0), try CertificateAuthority(named: "b", at: 0))
        let cases: [(String, Secret?, String)] = [
            ("", nil, "there is no certificate in PEM"),
            (try one.trust, Secret("x"), "there is no private key in PEM"),
            (try one.trust, try other.privateKey, "the key is not that of the first certificate"),
        ]
        for (certificates, key, message) in cases {
            let fault = #expect(throws: (any Error).self) {
                try CertificateAuthority(certificates: certificates, key: key)
            }
            #expect(fault.map { "\($0)" } == message)
        }
    }
}
