public import Diagnostics

/// A host, and how to reach it.
public struct Host: Sendable {
    public let name: String
    /// Where the inventory names it first.
    public let location: SourceLocation
    /// What its `ansible_…` variables say.
    public internal(set) var connection = Connection()
    /// All groups that it is in, parents before children, without `all`; `ungrouped` when it is in no other.
    public let groups: [String]
    /// The variables that hold for it, by name, without those of the connection.
    public internal(set) var variables: [String: Variable]
    /// The `ansible_…` variables that hold for it, by name.
    public internal(set) var connectionVariables: [String: Variable] = [:]

    /// The name or IP address to connect to: `ansible_host`, or else the name.
    public var address: String { connection.address ?? name }
    /// `ansible_port`, or nil for the customary one.
    public var port: Int? { connection.port }
    /// `ansible_user`, or nil for the customary one.
    public var user: String? { connection.user }
}

/// A group of hosts.
public struct Group: Sendable {
    public let name: String
    /// Where the inventory names it first.
    public let location: SourceLocation
    /// The groups directly below it.
    public internal(set) var children: [String] = []
    /// The hosts directly in it.
    public internal(set) var hosts: [String] = []
}
