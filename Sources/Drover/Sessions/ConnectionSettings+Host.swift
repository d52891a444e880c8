import FoundationEssentials
import Inventory
import SSH

/// What the command line and the inventory say together of one host.
extension ConnectionSettings {
    func destination(of host: Host) -> SSHDestination {
        SSHDestination(
            address: host.address, port: host.port ?? 22, user: host.user ?? user ?? ProcessInfo.processInfo.userName)
    }

    func options(for host: Host) -> SSHOptions {
        var options = SSHOptions()
        options.keyFiles = keyFiles(of: host)
        if let file = knownHostsFile ?? host.connection.knownHostsFile { options.knownHostsFiles = [file] }
        options.password = host.connection.password ?? password
        if let keyRing { options.agentSockets.insert(keyRing.socket, at: 0) }
        return options
    }

    /// The key files to log in with.
    func keyFiles(of host: Host) -> [String] {
        (host.connection.keyFile ?? keyFile).map { [$0] } ?? SSHOptions().keyFiles
    }

    /// As whom to work on the host, or nil for the user of the login.
    func become(on host: Host) -> Become? {
        guard host.connection.becomes ?? becomes else { return nil }
        let user = host.connection.becomeUser ?? becomeUser ?? "root"
        return user == destination(of: host).user
            ? nil : Become(user: user, password: host.connection.becomePassword ?? becomePassword)
    }
}
