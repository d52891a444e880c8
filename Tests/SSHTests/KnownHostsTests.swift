import Testing

@testable import SSH

@Suite("KnownHosts")
struct KnownHostsTests {
    /// Made by ssh-keygen for this test; the private halves were thrown away.
    private static let key = "AAAAC3NzaC1lZDI1NTE5AAAAIEH7g87P+mD8JgZ7lLv8eRFhl9Oa47U1SDf3tbNHTUfM"
    private static let other = "AAAAC3NzaC1lZDI1NTE5AAAAIJIAJIWe+4soEG7625VuGB2caoZkPjsbqopXpNdbD2Dr"
    private static let ecdsa = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBA=="

    private func verdict(_ text: String, address: String = "db1.example", port: Int = 22) throws -> String {
        let key = try #require(HostKey(base64: Self.key))
        let hosts = KnownHosts(text, file: "hosts")
        return switch hosts.verdict(on: key, of: SSHDestination(address: address, port: port, user: "root")) {
        case .trusted: "trusted"
        case .changed(let line): "changed \(line.place)"
        case .revoked(let line): "revoked \(line.place)"
        case .unknown(let others): "unknown \(others.map(\.place))"
        }
    }

    @Test(
        "judges a key by the lines of its host",
        arguments: [
            ("", "unknown []"),
            ("db1.example ssh-ed25519 \(key)", "trusted"),
            ("db1.example ssh-ed25519 \(key) a comment\r\n", "trusted"),
            ("DB1.example,10.0.0.1 ssh-ed25519 \(key)", "trusted"),
            ("# comment\n\ndb1.example ssh-ed25519 \(other)", "changed hosts:3"),
            ("db1.example ssh-ed25519 \(other)\ndb1.example ssh-ed25519 \(key)", "trusted"),
            ("db1.example ecdsa-sha2-nistp256 \(ecdsa)", #"unknown ["hosts:1"]"#),
            ("db2.example ssh-ed25519 \(key)", "unknown []"),
            ("[db1.example]:22 ssh-ed25519 \(key)", "unknown []"),
            ("*.example ssh-ed25519 \(key)", "trusted"),
            ("*.example,!db1.* ssh-ed25519 \(key)", "unknown []"),
            ("db1.example ssh-ed25519 \(key)\n@revoked * ssh-ed25519 \(key)", "revoked hosts:2"),
            ("db1.example ssh-ed25519 \(key)\n@revoked * ssh-ed25519 \(other)", "trusted"),
            ("@cert-authority *.example ssh-ed25519 \(key)", "unknown []"),
            ("@frobnicate *.example ssh-ed25519 \(key)", "unknown []"),
            ("db1.example ssh-ed25519", "unknown []"),
            ("db1.example ssh-ed25519 !!!", "unknown []"),
        ])
    func verdicts(text: String, expected: String) throws {
        #expect(try verdict(text) == expected)
    }

    @Test("asks for the port by name unless it is 22")
    func port() throws {
        let line = "[db1.example]:2222 ssh-ed25519 \(Self.key)"
        #expect(try verdict(line, port: 2222) == "trusted")
        #expect(try verdict("db1.example ssh-ed25519 \(Self.key)", port: 2222) == "unknown []")
        #expect(try verdict("[10.0.0.?]:2222 ssh-ed25519 \(Self.key)", address: "10.0.0.7", port: 2222) == "trusted")
    }

    @Test("reads hashed names")
    func hashed() throws {
        // ssh-keygen -H made this of db1.example.
        let line = "|1|lsDNVm8IudX+kxeiakOtFrd/zrA=|53GQE7YceBj5X13ThQu5CCkYxPU= ssh-ed25519 \(Self.key)"
        #expect(try verdict(line) == "trusted")
        #expect(try verdict(line, address: "db2.example") == "unknown []")
    }

    @Test("knows the types of a host's keys")
    func types() {
        let text = """
            db1.example ssh-ed25519 \(Self.other)
            db1.example ecdsa-sha2-nistp256 \(Self.ecdsa)
            @revoked db1.example ssh-rsa AAAAB3NzaC1yc2E=
            """
        let destination = SSHDestination(address: "db1.example", user: "root")
        #expect(
            KnownHosts(text, file: "hosts").keyTypes(of: destination) == ["ssh-ed25519", "ecdsa-sha2-nistp256"])
    }

    @Test(
        "matches patterns",
        arguments: [
            ("*", "", true), ("?", "", false), ("a*c", "abbc", true), ("a*c", "abbd", false), ("*a*b", "xaxbxb", true),
            ("a?c", "abc", true), ("abc", "ab", false), ("ab", "abc", false), ("**", "x", true),
        ])
    func wildcard(pattern: String, text: String, matches: Bool) {
        #expect(Wildcard.matches(pattern, text) == matches)
    }

    @Test("prints fingerprints as ssh-keygen does")
    func fingerprint() throws {
        let key = try #require(HostKey(base64: Self.key))
        #expect(key.type == "ssh-ed25519")
        #expect(key.fingerprint == "SHA256:Dsd9mfbBr6I1r3+PXKN23thm6n2F2QXAZfSlpGXzVYM")
        #expect(key.base64 == Self.key)
    }
}
