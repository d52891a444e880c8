import FoundationEssentials
import Testing

@testable import SSH

@Suite("PrivateKeyFile")
struct PrivateKeyFileTests {
    /// The beginning of a key file of OpenSSH, up to the public key: all that is looked at.
    private func openSSH(cipher: String, type: String) -> String {
        var bytes = Data("openssh-key-v1\0".utf8)
        func append(_ string: Data) { bytes += [0, 0, 0, UInt8(string.count)] + string }
        append(Data(cipher.utf8))
        append(Data("none".utf8))
        append(Data())
        bytes += [0, 0, 0, 1]
        append(Data([0, 0, 0, UInt8(type.utf8.count)] + type.utf8))
        return """
            -----BEGIN OPENSSH PRIVATE KEY-----
            \(bytes.base64EncodedString().prefix(40))
            \(bytes.base64EncodedString().dropFirst(40))
            -----END OPENSSH PRIVATE KEY-----

            """
    }

    @Test("tells the type of a key of OpenSSH, and whether it is encrypted")
    func openSSH() {
        #expect(PrivateKeyFile.kind(ofText: openSSH(cipher: "none", type: "ssh-ed25519")) == .key(type: "ssh-ed25519"))
        #expect(PrivateKeyFile.kind(ofText: openSSH(cipher: "none", type: "ssh-rsa")) == .key(type: "ssh-rsa"))
        #expect(PrivateKeyFile.kind(ofText: openSSH(cipher: "aes256-ctr", type: "ssh-ed25519")) == .encrypted)
    }

    @Test(
        "tells what else a file may hold",
        arguments: [
            ("", PrivateKeyFile.Kind.notAKey), ("ssh-ed25519 AAAA user@host\n", .notAKey),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", .notAKey),
            ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", .key(type: "ssh-rsa")),
            ("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AA\n\nAAAA", .encrypted),
            ("-----BEGIN EC PRIVATE KEY-----\r\nAAAA\r\n-----END EC PRIVATE KEY-----", .key(type: nil)),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .key(type: nil)),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----", .encrypted),
        ])
    func kinds(text: String, kind: PrivateKeyFile.Kind) {
        #expect(PrivateKeyFile.kind(ofText: text) == kind)
    }

    @Test("tells of a file that is not there")
    func missing() {
        #expect(PrivateKeyFile(reading: "/nowhere/id_ed25519").kind == .missing)
    }
}
