import FoundationEssentials
import Testing

@testable import SSH

@Suite("ClientConfiguration")
struct ClientConfigurationTests {
    /// What ssh itself makes of a configuration file.
    private func configuration(_ text: String, for name: String, user: String? = nil) async throws
        -> ClientConfiguration
    {
        let file = FileManager.default.temporaryDirectory.path() + "drover-ssh-config-\(RequestID())"
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try await ClientConfiguration.read(for: name, user: user, file: file)
    }

    private static let file = """
        Host db*
            HostName %h.example
            Port 2222
            IdentityFile ~/.ssh/fleet
            IdentitiesOnly yes
            RevokedHostKeys /etc/ssh/revoked
            UserKnownHostsFile /tmp/one /tmp/two
            GlobalKnownHostsFile none
            ProxyJump me@outer:2200,inner
        Match host web1 user deploy
            IdentityAgent /tmp/agent
        Host web1
            ProxyCommand nc %h %p
        """

    @Test("reads what ssh makes of its files")
    func reading() async throws {
        let db = try await configuration(Self.file, for: "db1", user: "root")
        #expect(db.address == "db1.example")
        #expect(db.port == 2222)
        #expect(db.user == "root")
        #expect(db.keyFiles == ["~/.ssh/fleet"])
        #expect(db.usesOnlyNamedKeys)
        #expect(db.knownHostsFiles == ["/tmp/one", "/tmp/two"])
        #expect(db.jumps == [JumpHost(user: "me", name: "outer", port: 2200), JumpHost(name: "inner")])
        #expect(db.proxyCommand == nil)
        #expect(db.revokedKeysFile == "/etc/ssh/revoked")
        let web = try await configuration(Self.file, for: "web1", user: "deploy")
        #expect(web.agentSocket == "/tmp/agent")
        #expect(web.proxyCommand == "nc %h %p")
        #expect(web.keyFiles == [])
        #expect(web.port == 22)
    }

    @Test("says what ssh does not understand")
    func wrong() async throws {
        let error = await #expect(throws: SSHError.self) { _ = try await configuration("Prot 22\n", for: "db1") }
        #expect(error?.message.contains("Bad configuration option: prot") == true)
    }

    @Test(
        "asks ssh only when a file says something that matters",
        arguments: [
            ("", false), ("# Port 22\nHost *\n  SendEnv LANG LC_*\n  HashKnownHosts yes", false),
            ("Include /etc/ssh/ssh_config.d/*.conf", false), ("Include other", true), ("host a\n\tUSER = root", true),
            ("ProxyJump=a", true), ("RevokedHostKeys ~/.ssh/revoked", true),
        ])
    func matters(text: String, matters: Bool) {
        #expect(ClientConfiguration.matters(text) == matters)
    }

    @Test(
        "reads jump hosts",
        arguments: [
            ("a", [JumpHost(name: "a")]), ("u@a:22", [JumpHost(user: "u", name: "a", port: 22)]),
            ("a,b", [JumpHost(name: "a"), JumpHost(name: "b")]), ("::1", [JumpHost(name: "::1")]),
            ("u@[fe80::1]:2200", [JumpHost(user: "u", name: "fe80::1", port: 2200)]),
            ("ssh://u@a:1", [JumpHost(user: "u", name: "a", port: 1)]),
            ("", nil), ("a,", nil), ("a:x", nil), ("@a", nil), ("-oProxyCommand=x", nil), ("[a]b", nil), ("a:0", nil),
        ] as [(String, [JumpHost]?)])
    func jumps(text: String, jumps: [JumpHost]?) {
        #expect(JumpHost.list(text) == jumps)
    }
}
