import FoundationEssentials
import TestSupport
import Testing

@testable import SSH

/// What a host, an agent or a person's file says is read or refused, never a crash.
@Suite("Mutated SSH input")
struct MutationTests {
    private static let key = "AAAAC3NzaC1lZDI1NTE5AAAAIEH7g87P+mD8JgZ7lLv8eRFhl9Oa47U1SDf3tbNHTUfM"
    private static let blob = Array(Data(base64Encoded: key) ?? Data())
    private static let numbers: [[UInt8]] = [
        [0, 0, 0, 0], [255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 1], [0], [12], [14], [20], [0x0A],
        Array("SSH-2.0-x\r\n".utf8),
    ]

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    @Test("known hosts")
    func knownHosts() {
        let text = """
            # one
            db1.example,[10.0.0.?]:2222,!db2* ssh-ed25519 \(Self.key) me@here
            |1|lsDNVm8IudX+kxeiakOtFrd/zrA=|53GQE7YceBj5X13ThQu5CCkYxPU= ssh-ed25519 \(Self.key)
            @revoked * ssh-rsa AAAAB3NzaC1yc2E=
            @cert-authority *.example ssh-ed25519 \(Self.key)
            """
        var mutants = Mutants(
            of: text, pieces: ["|", "|1|", "@", "*", "?", "!", ",", "=", " ", "\n", "\r\n", "\u{0}", "é", "AAAA"])
        let key = HostKey(blob: Self.blob)
        let destination = SSHDestination(address: "db1.example", user: "root")
        var trusted = 0
        for _ in 0..<3_000 {
            let hosts = KnownHosts(mutants.nextText(), file: "f")
            if hosts.verdict(on: key, of: destination) == .trusted { trusted += 1 }
            _ = (hosts.keyTypes(of: destination), hosts.authority(of: destination))
        }
        #expect((500...2_990).contains(trusted), "\(trusted)")
    }

    @Test("messages of an agent")
    func agent() {
        let identities: [UInt8] =
            [12, 0, 0, 0, 2] + Self.string(Self.blob) + Self.string(Array("a".utf8))
            + Self.string(Self.blob) + Self.string([])
        let signature: [UInt8] = [14] + Self.string(Self.string(Array("ssh-ed25519".utf8)) + Self.string(Self.blob))
        #expect(AgentMessage.identities(in: identities)?.count == 2)
        #expect(AgentMessage.signature(in: signature) == Self.blob)
        for source in [identities, signature] {
            var mutants = Mutants(of: source, pieces: Self.numbers)
            for _ in 0..<3_000 {
                let bytes = mutants.next()
                for key in AgentMessage.identities(in: bytes) ?? [] { _ = (key.isUsable, key.key.fingerprint) }
                _ = (AgentMessage.signature(in: bytes), AgentMessage.flags(for: bytes))
            }
        }
    }

    @Test("the algorithms of a host")
    func offer() {
        let lists = [
            "curve25519-sha256,x", "ssh-ed25519", "aes128-ctr", "aes128-ctr", "m", "m", "none", "none", "", "",
        ]
        let packet: [UInt8] =
            [0, 0, 1, 0, 4, 20] + Array(repeating: 7, count: 16)
            + lists.flatMap { Self.string(Array($0.utf8)) }
        let source = Array("a line before\r\nSSH-2.0-OpenSSH_9.2\r\n".utf8) + packet
        #expect(AlgorithmOffer(in: source)?[.hostKey] == ["ssh-ed25519"])
        var mutants = Mutants(of: source, pieces: Self.numbers)
        var read = 0
        for _ in 0..<3_000 {
            guard let offer = AlgorithmOffer(in: mutants.next()) else { continue }
            read += 1
            _ = offer.discord { _ in ["x"] }
        }
        #expect((300...2_990).contains(read), "\(read)")
    }

    @Test("revocation lists and key files")
    func keys() {
        let list =
            Array("SSHKRL\n\0".utf8) + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 32)
            + [2] + Self.string(Self.string(Self.blob))
        #expect(RevokedKeys(list)?.contain(HostKey(blob: Self.blob)) == true)
        var mutants = Mutants(of: list, pieces: Self.numbers)
        for _ in 0..<3_000 { _ = RevokedKeys(mutants.next())?.contain(HostKey(blob: Self.blob)) }
        let file =
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH PRIVATE KEY-----\n"
        var files = Mutants(of: file, pieces: ["-----", "\n", "BEGIN", "RSA ", "Proc-Type: 4,ENCRYPTED\n", "=", "A"])
        for _ in 0..<3_000 { _ = PrivateKeyFile.kind(ofText: files.nextText()) }
    }
}
