import FoundationEssentials
import NIOCore
import NIOPosix
import SSH
import Subprocess
import SystemPackage

/// An sshd on 127.0.0.1 with its own configuration and keys, for the time of one test.
struct LoopbackServer: Sendable {
    let directory: String
    let port: Int
    /// Where it listens.
    var address = "127.0.0.1"

    var hostKeyFile: String { directory + "/host" }
    var userKeyFile: String { directory + "/user" }
    var knownHostsFile: String { directory + "/known_hosts" }

    var destination: SSHDestination {
        SSHDestination(address: address, port: port, user: ProcessInfo.processInfo.userName)
    }

    /// Trusts the server's key and logs in with the user's.
    var options: SSHOptions {
        var options = SSHOptions()
        options.agentSockets = []
        // All tests' servers share the cores of one machine.
        options.connectTimeout = .seconds(30)
        options.keyFiles = [userKeyFile]
        options.knownHostsFiles = [knownHostsFile]
        return options
    }

    func connect(
        as user: String? = nil, _ change: (inout SSHOptions) -> Void = { _ in }
    ) async throws -> SSHConnection {
        var options = options
        change(&options)
        var destination = destination
        if let user { destination.user = user }
        return try await SSHConnection.connect(
            to: destination, options: options, on: .singletonMultiThreadedEventLoopGroup)
    }

    func openShell(locked: Bool = false, lockWait: Duration = .milliseconds(50)) async throws -> RemoteShell {
        try await connect().openShell(
            lockFile: locked ? directory + "/lock" : nil, lockWait: lockWait, stateDirectory: directory + "/state")
    }

    /// The public key in a file that ssh-keygen has made: its type and its base64.
    func publicKey(_ file: String) throws -> String {
        let text = try String(contentsOfFile: file + ".pub", encoding: .utf8)
        return text.split(separator: " ").prefix(2).joined(separator: " ")
    }

    func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    static func makeKey(_ file: String, type: String = "ed25519", options: [String] = []) async throws {
        _ = try await run(
            .name("ssh-keygen"), arguments: Arguments(["-q", "-t", type, "-N", "", "-f", file] + options),
            output: .discarded)
    }

    /// Makes a key revocation list of one public key.
    func revoke(_ publicKeyFile: String, in file: String) async throws {
        _ = try await run(
            .name("ssh-keygen"), arguments: ["-q", "-k", "-f", file, publicKeyFile], output: .discarded)
    }

    /// Gives a key file a passphrase.
    func encrypt(_ file: String, passphrase: String) async throws {
        _ = try await run(
            .name("ssh-keygen"), arguments: ["-q", "-p", "-P", "", "-N", passphrase, "-f", file], output: .discarded)
    }

    /// Serves as long as `body` runs.
    ///
    /// - Parameters:
    ///   - settings: lines of sshd_config(5), which win over those that every server has; `%D` stands for its directory.
    ///   - accounts: users that only this server sees.
    static func serving(
        settings: [String] = [], accounts: LoopbackAccounts? = nil, address: String = "127.0.0.1",
        _ body: @Sendable (LoopbackServer) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.path() + "drover-ssh-\(RequestID())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await makeKey(directory + "/host")
        try await makeKey(directory + "/user")
        try await makeKey(directory + "/ecdsa", type: "ecdsa")
        // Where sshd of Debian goes to when root starts it; its service makes it otherwise.
        try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        let server = { LoopbackServer(directory: directory, port: try await freePort(on: address), address: address) }
        while try await !server().serve(settings, accounts, body) {}
    }

    /// - Returns: false when another program has taken the port since it was free.
    private func serve(
        _ settings: [String], _ accounts: LoopbackAccounts?, _ body: @Sendable (LoopbackServer) async throws -> Void
    ) async throws -> Bool {
        let configuration =
            settings.map { $0.replacing("%D", with: directory) } + [
                "ListenAddress [\(address)]:\(port)", "HostKey \(hostKeyFile)", "PidFile none", "StrictModes no",
                "AuthorizedKeysFile \(userKeyFile).pub", "UsePAM no", "LogLevel INFO",
            ]
        try write(configuration.joined(separator: "\n") + "\n", to: directory + "/sshd_config")
        try write("[\(address)]:\(port) \(publicKey(hostKeyFile))\n", to: knownHostsFile)
        let sshd = "exec /usr/sbin/sshd -D -e -f \(directory)/sshd_config"
        let command =
            try accounts.map { ["unshare", "--mount", "sh", "-c", "\(try $0.prepare(in: directory)) && \(sshd)"] }
            ?? ["sh", "-c", sshd]
        return try await run(
            .name(command[0]), arguments: Arguments(Array(command.dropFirst())),
            input: .none, output: .discarded, error: .sequence
        ) { execution in
            var words: [String] = []
            for try await line in execution.standardError.strings() {
                words.append(line)
                if line.contains("listening") { break }
            }
            guard words.last?.contains("listening") == true else {
                guard words.contains(where: { $0.contains("Address already in use") }) else {
                    throw Failure(message: "sshd did not start: \(words)")
                }
                return false
            }
            let result = await Result { try await body(self) }
            try execution.send(signal: .terminate)
            try result.get()
            return true
        }.closureResult
    }

    private struct Failure: Error {
        let message: String
    }

    private static func freePort(on address: String) async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: address, port: 0).get()
        defer { channel.close(promise: nil) }
        return channel.localAddress?.port ?? 0
    }
}

extension Result where Failure == any Error {
    /// What `body` returned or threw.
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
