import FoundationEssentials

@testable import SSH

/// What a host, an agent or a file of a user says to the SSH client.
extension FuzzedReader {
    private static let key = "AAAAC3NzaC1lZDI1NTE5AAAAIEH7g87P+mD8JgZ7lLv8eRFhl9Oa47U1SDf3tbNHTUfM"
    private static let blob = Array(Data(base64Encoded: key) ?? Data())
    private static let numbers: [[UInt8]] = [
        [0, 0, 0, 0], [255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 1], [0], [12], [14], [20], [0x0A],
        Array("SSH-2.0-x\r\n".utf8),
    ]

    /// A string of the SSH protocol.
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    static let knownHosts = FuzzedReader(
        "known-hosts",
        samples: [
            """
            # one
            db1.example,[10.0.0.?]:2222,!db2* ssh-ed25519 \(key) me@here
            |1|lsDNVm8IudX+kxeiakOtFrd/zrA=|53GQE7YceBj5X13ThQu5CCkYxPU= ssh-ed25519 \(key)
            @revoked * ssh-rsa AAAAB3NzaC1yc2E=
            @cert-authority *.example ssh-ed25519 \(key)
            """
        ],
        pieces: ["|", "|1|", "@", "*", "?", "!", ",", "=", " ", "\n", "\r\n", "\u{0}", "é", "AAAA"],
        accepted: 0.17...0.997
    ) { text in
        let hosts = KnownHosts(text, file: "f")
        let destination = SSHDestination(address: "db1.example", user: "root")
        _ = (hosts.keyTypes(of: destination), hosts.authority(of: destination))
        return hosts.verdict(on: HostKey(blob: blob), of: destination) == .trusted
    }

    static let agentMessage = FuzzedReader(
        name: "agent",
        samples: [
            [12, 0, 0, 0, 2] + string(blob) + string(Array("a".utf8)) + string(blob) + string([]),
            [14] + string(string(Array("ssh-ed25519".utf8)) + string(blob)),
        ], pieces: numbers, accepted: 0.05...0.997
    ) { bytes in
        let keys = AgentMessage.identities(in: bytes)
        for key in keys ?? [] { _ = (key.isUsable, key.key.fingerprint) }
        _ = AgentMessage.flags(for: bytes)
        return keys != nil || AgentMessage.signature(in: bytes) != nil
    }

    static let algorithmOffer = FuzzedReader(
        name: "algorithms",
        samples: [
            Array("a line before\r\nSSH-2.0-OpenSSH_9.2\r\n".utf8) + [0, 0, 1, 0, 4, 20]
                + Array(repeating: 7, count: 16)
                + [
                    "curve25519-sha256,x", "ssh-ed25519", "aes128-ctr", "aes128-ctr", "m", "m", "none", "none", "", "",
                ].flatMap { string(Array($0.utf8)) }
        ], pieces: numbers, accepted: 0.05...0.997
    ) { bytes in
        guard let offer = AlgorithmOffer(in: bytes) else { return false }
        _ = offer.discord { _ in ["x"] }
        return true
    }

    static let revocationList = FuzzedReader(
        name: "revocations",
        samples: [
            Array("SSHKRL\n\0".utf8) + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 32) + [2] + string(string(blob))
        ], pieces: numbers, accepted: 0.01...0.997
    ) { RevokedKeys($0)?.contain(HostKey(blob: blob)) == true }

    static let keyFile = FuzzedReader(
        "key-file",
        samples: [
            """
            -----BEGIN OPENSSH PRIVATE KEY-----
            \(openSSHKey.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))
            -----END OPENSSH PRIVATE KEY-----

            """, "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        ], pieces: ["-----", "\n", "BEGIN", "RSA ", "Proc-Type: 4,ENCRYPTED\n", "=", "A"], accepted: 0.1...0.997
    ) { PrivateKeyFile.kind(ofText: $0) != .notAKey }

    /// Cipher, key derivation and its options, the number of keys, and the public key; the private one is not read.
    private static let openSSHKey = Data(
        Array("openssh-key-v1\0".utf8) + string(Array("none".utf8)) + string(Array("none".utf8)) + string([])
            + [0, 0, 0, 1] + string(blob))
}
