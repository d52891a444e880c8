import Crypto
import FoundationEssentials

/// The public key by which a host proves that it is itself.
struct HostKey: Hashable {
    /// The key in the encoding of RFC 4253, which begins with its type.
    let blob: [UInt8]

    init(blob: [UInt8]) {
        self.blob = blob
    }

    /// The key that a known hosts file holds as `base64`; nil when that is no base64.
    init?(base64: some StringProtocol) {
        guard let data = Data(base64Encoded: String(base64)) else { return nil }
        blob = Array(data)
    }

    /// For example `ssh-ed25519`.
    var type: String {
        var reader = SSHWireReader(blob[...])
        return reader.string().map { String(decoding: $0, as: UTF8.self) } ?? "unknown"
    }

    var base64: String { Data(blob).base64EncodedString() }

    /// The fingerprint as ssh-keygen prints it: `SHA256:` and base64 without padding.
    var fingerprint: String {
        let digest = Data(SHA256.hash(data: blob)).base64EncodedString()
        return "SHA256:" + digest.prefix { $0 != "=" }
    }

    /// The type of key that an algorithm's name stands for: the signatures of RSA keys have several.
    static func type(ofAlgorithm name: String) -> String {
        ["rsa-sha2-256", "rsa-sha2-512"].contains(name) ? "ssh-rsa" : name
    }
}
