public import Inventory

/// A host in its part in the cluster.
public struct Node: Sendable {
    public let host: Host
    /// The address at which its daemons listen and at which the other nodes reach them.
    public let address: String

    public var name: String { host.name }
}

extension Node {
    /// Whether a text is an IPv4 address in its usual form, four numbers up to 255 without leading zeros.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }
}
