public import NIOCore
import SSH
public import Secrets

/// How the hosts of an inventory are reached: what the command line says where the inventory says nothing.
public struct ConnectionSettings: Sendable {
    /// The user for hosts that name none in the inventory.
    public var user: String?
    /// The key file for hosts that name none in the inventory.
    public var keyFile: String?
    /// The known hosts file for all hosts, instead of those of the inventory and of the user.
    public var knownHostsFile: String?
    /// The password of the login for hosts that have none in the inventory.
    public var password: Secret?
    /// Whether to work as another user than that of the login, on hosts whose inventory does not say.
    public var becomes = false
    /// As whom, on hosts that name nobody in the inventory; nil for root.
    public var becomeUser: String?
    /// What sudo may ask for on hosts that have no password for it in the inventory.
    public var becomePassword: Secret?
    /// Whether hosts that no known hosts file names are trusted at their first visit; told what was added to it.
    public var onNewHostKey: (@Sendable (String) -> Void)?
    /// The encrypted keys that were decrypted for this program: see ``unlock(keysOf:ask:)``.
    var keyRing: KeyRing?
    /// The event loops that serve all connections.
    public let eventLoops: any EventLoopGroup
    let configurations = ClientConfigurations()
    let jumps: JumpConnections

    public init(
        user: String? = nil, keyFile: String? = nil, knownHostsFile: String? = nil, eventLoops: any EventLoopGroup
    ) {
        self.user = user
        self.keyFile = keyFile
        self.knownHostsFile = knownHostsFile
        self.eventLoops = eventLoops
        jumps = JumpConnections(on: eventLoops)
    }
}
