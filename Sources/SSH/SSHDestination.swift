/// Where to connect to, and as whom.
public struct SSHDestination: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address, as `known_hosts` knows it.
    public var address: String
    /// The TCP port of the SSH server.
    public var port: Int
    /// The user to log in as.
    public var user: String

    public init(address: String, port: Int = 22, user: String) {
        self.address = address
        self.port = port
        self.user = user
    }

    /// `user@address:port`
    public var description: String { "\(user)@\(address):\(port)" }

    /// The name under which `known_hosts` lists the host: the port is part of it unless it is 22 (see sshd(8)).
    var knownHostsName: String {
        let address = address.lowercased()
        return port == 22 ? address : "[\(address)]:\(port)"
    }
}
