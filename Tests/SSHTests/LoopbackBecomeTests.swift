import FoundationEssentials
import Secrets
import Testing

@testable import SSH

/// Shells by sudo, against accounts of a namespace.
@Suite("Loopback: sudo", .timeLimit(.minutes(1)), .enabled(if: LoopbackAccounts.arePossible))
struct LoopbackBecomeTests {
    /// Opens a shell and runs `script` there.
    private func run(
        _ script: String, as become: Become, sudoers: [String], locked: Bool = false
    ) async throws -> Result<String, any Error> {
        let outcome = Box()
        try await LoopbackServer.serving(accounts: LoopbackAccounts(sudoers: sudoers)) { server in
            await outcome.set(
                Result {
                    let connection = try await server.connect(as: LoopbackAccounts.user)
                    let shell = try await connection.openShell(
                        as: become, lockFile: locked ? server.directory + "/lock" : nil,
                        stateDirectory: server.directory + "/state")
                    let text = try await shell.run(script).standardOutputText
                    await shell.close()
                    await connection.close()
                    return text
                })
        }
        return try #require(await outcome.result)
    }

    private actor Box {
        private(set) var result: Result<String, any Error>?
        func set(_ result: Result<String, any Error>) { self.result = result }
    }

    private static let all = "drover-test ALL=(ALL) ALL"
    private static let free = "drover-test ALL=(ALL) NOPASSWD: ALL"

    @Test(
        "becomes root or another user, whether sudo asks for the password or not",
        arguments: [
            (Become(), free, "root"), (Become(password: LoopbackAccounts.password), free, "root"),
            (Become(password: LoopbackAccounts.password), all, "root"),
            (Become(user: "nobody", password: LoopbackAccounts.password), all, "nobody"),
            (Become(), "drover-test ALL=(root) NOPASSWD: /bin/sh", "root"),
            (Become(password: LoopbackAccounts.password), "Defaults use_pty\nDefaults lecture=always\n" + all, "root"),
        ])
    func becomes(become: Become, sudoers: String, user: String) async throws {
        let result = try await run("id -un; echo $HOME; cat", as: become, sudoers: [sudoers])
        let home = user == "root" ? "/root" : "/nonexistent"
        #expect(try result.get() == "\(user)\n\(home)\n")
    }

    @Test("takes the lock as root")
    func lock() async throws {
        let become = Become(password: LoopbackAccounts.password)
        #expect(try await run("id -u", as: become, sudoers: [Self.all], locked: true).get() == "0\n")
    }

    @Test("shows the password in no list of processes, and in no environment")
    func secrecy() async throws {
        let become = Become(password: LoopbackAccounts.password)
        let script = "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c '^hunter[2]'"
        #expect(try await run(script, as: become, sudoers: [Self.all]).get() == "0\n")
    }

    @Test(
        "says why sudo does not start a shell",
        arguments: [
            (Become(), [all], "sudo asks for a password"),
            (Become(password: Secret("hunter3")), [all], "sudo does not accept the password"),
            (
                Become(password: Secret("hunter3")), ["Defaults passwd_tries=1", all],
                "sudo does not accept the password"
            ),
            (Become(password: LoopbackAccounts.password), [], "sudo allows nothing to drover-test"),
            (
                Become(password: LoopbackAccounts.password), ["drover-test ALL=(root) /usr/bin/id"],
                "sudo allows to drover-test only commands that are listed, and /bin/sh is not among them"
            ),
            (
                Become(), ["drover-test ALL=(root) NOPASSWD: /usr/bin/id"], "sudo asks for a password"
            ),
            (
                Become(), ["Defaults requiretty", free],
                "sudo wants a terminal (requiretty), and a program has none"
            ),
            (
                Become(password: LoopbackAccounts.password), ["Defaults requiretty", all],
                "sudo wants a terminal (requiretty), and a program has none"
            ),
            (Become(user: "o'neil"), [free], "there is no user 'o'neil' on the host"),
        ])
    func refused(become: Become, sudoers: [String], message: String) async throws {
        let result = try await run("id", as: become, sudoers: sudoers)
        let error = #expect(throws: SSHError.self) { try result.get() }
        #expect(error?.code == .becomeRefused)
        #expect(error?.message == "cannot become \(become.user): \(message)")
    }
}
