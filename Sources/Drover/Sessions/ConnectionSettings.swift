public import NIOCore

/// How the hosts of an inventory are reached: what the command line says, over what the inventory says.
public struct ConnectionSettings: Sendable {
    /// The user for hosts that name none in the inventory.
    public var user: String?
    /// The key file for hosts that name none in the inventory.
    public var keyFile: String?
    /// The known hosts file for all hosts, instead of those of the inventory and of the user.
    public var knownHostsFile: String?
    /// The event loops that serve all connections.
    public var eventLoops: any EventLoopGroup

    public init(
        user: String? = nil, keyFile: String? = nil, knownHostsFile: String? = nil, eventLoops: any EventLoopGroup
    ) {
        self.user = user
        self.keyFile = keyFile
        self.knownHostsFile = knownHostsFile
        self.eventLoops = eventLoops
    }
}
