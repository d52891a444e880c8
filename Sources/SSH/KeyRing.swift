import FoundationEssentials
import Programs
public import Secrets
import Subprocess
import SystemPackage

/// An ssh-agent of our own, for the time of the program: encrypted key files are decrypted once, into it, whatever the
/// number of hosts. Decrypting is meant to be slow, and libssh2 would do it twice for each host.
///
/// The agent ends with the program, even with one that is killed, and its directory is gone then: the command that it
/// serves ends with its input, which is a pipe from us.
public actor KeyRing {
    /// The path of the agent's socket, for ``SSHOptions/agentSockets``.
    public nonisolated let socket: String
    private nonisolated let directory: String
    private let agent: Task<Void, any Error>

    /// What came of a key file.
    public enum Outcome: Hashable, Sendable {
        case added
        case wrongPassphrase
        /// The last words of ssh-add.
        case failed(String)
    }

    /// Starts the agent.
    ///
    /// - Throws: ``SSHError`` when there is no ssh-agent on this machine.
    public init() async throws {
        let directory = FileManager.default.temporaryDirectory.path() + "drover-agent-\(RequestID())"
        let socket = directory + "/socket"
        self.directory = directory
        self.socket = socket
        let (started, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
        agent = Task {
            do {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                // Ctrl-C is for us alone.
                var options = PlatformOptions()
                options.createSession = true
                _ = try await run(
                    .name("ssh-agent"), arguments: Arguments(Self.arguments(directory)), platformOptions: options,
                    input: .inputWriter, output: .sequence, error: .discarded
                ) { execution in
                    for try await _ in execution.standardOutput { break }
                    continuation.finish()
                    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
                    try await execution.standardInputWriter.finish()
                }
            } catch {
                continuation.finish(throwing: error)
            }
            try? FileManager.default.removeItem(atPath: directory)
        }
        do {
            for try await _ in started {}
        } catch {
            throw SSHError(
                .loginRefused, "no ssh-agent can be started for the encrypted keys: \(error)",
                remedy: "install openssh-client")
        }
    }

    /// What starts an agent in a directory. It serves a command that says when the agent listens, waits for the end of
    /// its input, and then leaves nothing behind.
    static func arguments(_ directory: String) -> [String] {
        let watch = #"echo; cat >/dev/null; rm -rf "$1"; kill "$SSH_AGENT_PID""#
        return ["-a", directory + "/socket", "sh", "-c", watch, "sh", directory]
    }

    /// Decrypts a key file.
    public func add(_ file: String, passphrase: Secret) async throws -> Outcome {
        // ssh-add asks through a program, and gives it its own standard input: so the passphrase is in no argument and in
        // no environment. Asked again, it finds nothing more to read.
        let helper = directory + "/answer"
        try Data("#!/bin/sh\nIFS= read -r answer && printf '%s\\n' \"$answer\"\n".utf8).write(to: URL(filePath: helper))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: helper)
        let environment = Environment.inherit.updating([
            "SSH_AUTH_SOCK": socket, "SSH_ASKPASS": helper, "SSH_ASKPASS_REQUIRE": "force", "LC_ALL": "C",
        ])
        let result = try await run(
            .name("ssh-add"), arguments: ["-q", SSHOptions.expandingHome(file)], environment: environment,
            feeding: passphrase.reveal() + "\n", output: .discarded, error: .string(limit: 65_536))
        if result.terminationStatus.isSuccess { return .added }
        // A wrong passphrase is asked for again without a word.
        let words = result.standardError.split(whereSeparator: \.isNewline).last.map(String.init)
        return words.map { .failed($0) } ?? .wrongPassphrase
    }

    /// Ends the agent.
    public func close() async {
        agent.cancel()
        _ = await agent.result
    }
}
