import FoundationEssentials
import Subprocess

/// What the ssh_config files of the user and of the system say of a host, as `ssh -G` tells it.
public struct ClientConfiguration: Hashable, Sendable {
    /// `HostName`: where to connect to.
    public var address: String?
    public var port: Int?
    public var user: String?
    /// Those that the user has named; empty when the customary ones are meant.
    public var keyFiles: [String] = []
    public var usesOnlyNamedKeys = false
    /// The socket of the agent; nil for the customary one, empty for none.
    public var agentSocket: String?
    /// The user's files and those of the system.
    public var knownHostsFiles: [String] = []
    /// `RevokedHostKeys`: a file of keys that are never accepted.
    public var revokedKeysFile: String?
    /// `ProxyJump`: the hosts through which to go, the nearest first.
    public var jumps: [JumpHost] = []
    /// A command that cannot be used instead of a socket.
    public var proxyCommand: String?

    public init() {}

    /// Reads what `ssh -G` prints.
    init(output: String) {
        for line in output.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1])
            switch parts[0].lowercased() {
            case "hostname": address = value
            case "port": port = Int(value)
            case "user": user = value
            case "identityfile" where !Self.isCustomary(value): keyFiles.append(value)
            case "identitiesonly": usesOnlyNamedKeys = value == "yes"
            case "identityagent": agentSocket = ["none": "", "SSH_AUTH_SOCK": nil][value] ?? value
            case "userknownhostsfile", "globalknownhostsfile":
                knownHostsFiles += value.split(separator: " ").map(String.init).filter { $0 != "none" }
            case "revokedhostkeys" where value != "none": revokedKeysFile = value
            case "proxyjump" where value != "none": jumps = JumpHost.list(value) ?? []
            case "proxycommand" where value != "none": proxyCommand = value
            default: break
            }
        }
    }

    /// Whether a key file is one that ssh tries when none is named.
    private static func isCustomary(_ file: String) -> Bool {
        file.split(separator: "/").last?.wholeMatch(of: /id_(rsa|dsa|xmss|(ecdsa|ed25519)(_sk)?)/) != nil
            && file.hasPrefix("~/.ssh/")
    }

    /// Asks `ssh -G`.
    ///
    /// - Parameters:
    ///   - name: the host, as a person would name it to ssh.
    ///   - file: a configuration file to read instead of the user's and the system's.
    /// - Throws: ``SSHError`` when ssh does not understand its files.
    public static func read(
        for name: String, user: String? = nil, port: Int? = nil, file: String? = nil
    ) async throws -> ClientConfiguration {
        var arguments = ["-G"]
        if let file { arguments += ["-F", file] }
        if let user { arguments += ["-l", user] }
        if let port { arguments += ["-p", "\(port)"] }
        arguments += ["--", name]
        let result = try await run(
            .name("ssh"), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else {
            let words = result.standardError.split(whereSeparator: \.isNewline).first.map(String.init)
            throw SSHError(.protocolFailure, "the ssh configuration for \(name) is wrong: \(words ?? "ssh -G failed")")
        }
        return ClientConfiguration(output: result.standardOutput)
    }

    // MARK: Whether to ask

    /// Whether a file of ssh_config says anything that matters here. Asking costs a process for each host.
    public static let isOfUse: Bool = {
        let folder = "/etc/ssh/ssh_config.d"
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files =
            ["~/.ssh/config", "/etc/ssh/ssh_config"] + parts.filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
        return files.contains { file in
            guard let data = FileManager.default.contents(atPath: SSHOptions.expandingHome(file)) else { return false }
            return matters(String(decoding: data, as: UTF8.self))
        }
    }()

    private static let keywords: Set = [
        "hostname", "port", "user", "identityfile", "identitiesonly", "identityagent", "userknownhostsfile",
        "globalknownhostsfile", "proxyjump", "proxycommand", "revokedhostkeys",
    ]

    static func matters(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split { $0.isWhitespace || $0 == "=" }
            guard let keyword = words.first?.lowercased() else { return false }
            // Debian's own file includes this folder, which is looked at anyway.
            if keyword == "include" { return words.dropFirst() != ["/etc/ssh/ssh_config.d/*.conf"] }
            return keywords.contains(keyword)
        }
    }
}

/// A host through which others are reached, as `ProxyJump` names it: `[user@]host[:port]`.
public struct JumpHost: Hashable, Sendable {
    public var user: String?
    /// What ssh_config calls it.
    public var name: String
    public var port: Int?

    public init(user: String? = nil, name: String, port: Int? = nil) {
        self.user = user
        self.name = name
        self.port = port
    }

    /// Reads one; nil for what is none.
    init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        if rest.hasPrefix("ssh://") { rest = rest.dropFirst(6) }
        if let at = rest.lastIndex(of: "@") {
            user = String(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            name = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            let colons = rest.count { $0 == ":" }
            let end = colons == 1 ? rest.firstIndex(of: ":") ?? rest.endIndex : rest.endIndex
            name = String(rest[..<end])
            rest = rest[end...]
        }
        if rest.hasPrefix(":") {
            guard let number = Int(rest.dropFirst()), (1...65_535).contains(number) else { return nil }
            port = number
            rest = ""
        }
        guard rest.isEmpty, !name.isEmpty, !name.hasPrefix("-"), user?.isEmpty != true,
            !name.contains(where: \.isWhitespace)
        else { return nil }
    }

    /// Reads a list as of `ProxyJump` or `-J`, separated by commas; nil when one of them is none.
    public static func list(_ text: some StringProtocol) -> [JumpHost]? {
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map { JumpHost($0) }
        return hosts.contains(nil) ? nil : hosts.compactMap { $0 }
    }
}
