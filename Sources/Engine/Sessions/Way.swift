import FoundationEssentials
import Inventory
import SSH

/// How a host is reached: what the inventory says, over what the command line says, over what ssh_config says.
struct Way: Sendable {
    let destination: SSHDestination
    let options: SSHOptions
    /// The hosts through which to go, the nearest first.
    let jumps: [JumpConnections.Hop]
}

extension ConnectionSettings {
    /// - Throws: `SSHError` when ssh_config asks for what is not supported.
    func way(to host: Host) async throws -> Way {
        let said = host.connection
        let named = said.user ?? user
        let configuration = try await configurations.configuration(of: host.address, user: named, port: said.port)
        let jumps = said.jumps ?? configuration.jumps
        if let command = configuration.proxyCommand, jumps.isEmpty {
            throw SSHError(
                .unreachable,
                "ssh_config reaches \(host.address) by the ProxyCommand '\(command)', which is not supported",
                remedy: "use ProxyJump, or ansible_ssh_common_args: -J HOST")
        }
        var options = options(configuration)
        if let file = said.keyFile { options.keyFiles = [file] }
        if let file = knownHostsFile ?? said.knownHostsFile { options.knownHostsFiles = [file] }
        options.password = said.password ?? password
        return Way(
            destination: SSHDestination(
                address: configuration.address ?? host.address, port: said.port ?? configuration.port ?? 22,
                user: named ?? configuration.user ?? ProcessInfo.processInfo.userName),
            options: options, jumps: try await hops(jumps))
    }

    /// As whom to work on the host, or nil for the user of the login.
    ///
    /// - Parameter login: that user.
    func become(on host: Host, after login: String) -> Become? {
        guard host.connection.becomes ?? becomes else { return nil }
        let user = host.connection.becomeUser ?? becomeUser ?? "root"
        return user == login
            ? nil : Become(user: user, password: host.connection.becomePassword ?? becomePassword)
    }

    /// No person goes through more, and ssh_config may send a host through itself.
    private static let mostHops = 8

    private func hops(_ jumps: [JumpHost], depth: Int = 0) async throws -> [JumpConnections.Hop] {
        guard depth + jumps.count <= Self.mostHops else {
            throw SSHError(
                .unreachable, "more than \(Self.mostHops) jump hosts, one after the other: \(jumps.map(\.name))",
                remedy: "does ssh_config send a jump host through itself?")
        }
        var hops: [JumpConnections.Hop] = []
        for (index, jump) in jumps.enumerated() {
            let configuration = try await configurations.configuration(
                of: jump.name, user: jump.user, port: jump.port)
            // As with ssh, only the first may have jump hosts of its own.
            if index == 0 { hops = try await self.hops(configuration.jumps, depth: depth + jumps.count) }
            hops.append(
                JumpConnections.Hop(
                    to: SSHDestination(
                        address: configuration.address ?? jump.name, port: jump.port ?? configuration.port ?? 22,
                        user: jump.user ?? configuration.user ?? ProcessInfo.processInfo.userName),
                    options: options(configuration)))
        }
        return hops
    }

    /// What holds for hosts and jump hosts alike.
    private func options(_ configuration: ClientConfiguration) -> SSHOptions {
        var options = SSHOptions()
        if !configuration.keyFiles.isEmpty { options.keyFiles = configuration.keyFiles }
        if let keyFile { options.keyFiles = [keyFile] }
        options.onNewHostKey = onNewHostKey
        options.usesOnlyNamedKeys = configuration.usesOnlyNamedKeys
        if let socket = configuration.agentSocket { options.agentSockets = socket.isEmpty ? [] : [socket] }
        if let keyRing { options.agentSockets.insert(keyRing.socket, at: 0) }
        if !configuration.knownHostsFiles.isEmpty { options.knownHostsFiles = configuration.knownHostsFiles }
        if let knownHostsFile { options.knownHostsFiles = [knownHostsFile] }
        options.revokedKeysFile = configuration.revokedKeysFile
        return options
    }
}
