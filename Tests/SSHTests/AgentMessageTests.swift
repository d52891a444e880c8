import Testing

@testable import SSH

@Suite("AgentMessage")
struct AgentMessageTests {
    /// A message of numbers, and of strings with their lengths.
    private func bytes(_ build: (inout SSHWireWriter) -> Void) -> [UInt8] {
        var writer = SSHWireWriter()
        build(&writer)
        return writer.bytes
    }

    @Test("asks for a signature")
    func request() {
        let message = AgentMessage.sign([7, 8], with: HostKey(blob: [9]), flags: 4)
        #expect(message == [13, 0, 0, 0, 1, 9, 0, 0, 0, 2, 7, 8, 0, 0, 0, 4])
    }

    @Test("reads the list of keys")
    func identities() {
        let answer = bytes {
            $0.write(byte: 12)
            $0.write(number: 2)
            for text in ["a", "one", "b", "two"] { $0.write(string: Array(text.utf8)) }
        }
        #expect(AgentMessage.identities(in: answer)?.map(\.comment) == ["one", "two"])
        #expect(AgentMessage.identities(in: answer)?.map(\.key.blob) == [[97], [98]])
        #expect(AgentMessage.identities(in: Array(answer.dropLast())) == nil)
        #expect(AgentMessage.identities(in: [5]) == nil)
        #expect(AgentMessage.identities(in: []) == nil)
    }

    @Test("takes the signature out of its envelope")
    func signature() {
        let signature = bytes {
            $0.write(string: Array("ssh-ed25519".utf8))
            $0.write(string: [1, 2, 3])
        }
        let answer = bytes {
            $0.write(byte: 14)
            $0.write(string: signature)
        }
        #expect(AgentMessage.signature(in: answer) == [1, 2, 3])
        #expect(AgentMessage.signature(in: Array(answer.dropLast())) == nil)
        #expect(AgentMessage.signature(in: [5]) == nil)
    }

    @Test(
        "asks for the algorithm that the data names",
        arguments: [
            ("ssh-rsa", 0), ("rsa-sha2-256", 2), ("rsa-sha2-512", 4), ("ssh-ed25519", 0),
        ] as [(String, UInt32)])
    func flags(algorithm: String, flags: UInt32) {
        let data = bytes {
            $0.write(string: Array("session".utf8))
            $0.write(byte: 50)
            for text in ["root", "ssh-connection", "publickey"] { $0.write(string: Array(text.utf8)) }
            $0.write(byte: 1)
            $0.write(string: Array(algorithm.utf8))
        }
        #expect(AgentMessage.flags(for: data) == flags)
        #expect(AgentMessage.flags(for: []) == 0)
    }

    @Test(
        "uses no key whose signatures libssh2 does not know",
        arguments: [
            ("ssh-ed25519", true), ("ecdsa-sha2-nistp256", true), ("ssh-ed25519-cert-v01@openssh.com", false),
            ("sk-ssh-ed25519@openssh.com", false),
        ])
    func usable(type: String, isUsable: Bool) {
        let blob = bytes { $0.write(string: Array(type.utf8)) }
        #expect(AgentKey(key: HostKey(blob: blob), comment: "").isUsable == isUsable)
    }
}
