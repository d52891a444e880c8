extension ClusterConfiguration {
    /// Whether nobody balances the load: then the address is where the leader is.
    public var addressFollowsLeader: Bool { balancing.address != nil && balancers.isEmpty }

    /// The hosts that hand the address to each other; none without an address.
    public var addressHolders: [Node] {
        guard balancing.address != nil else { return [] }
        return balancers.isEmpty ? members : balancers
    }

    /// Whether a host may hold the address.
    func mayHoldAddress(_ name: String) -> Bool { addressHolders.contains { $0.name == name } }

    /// Where the daemons of a member listen for clients: where the address may come to any time, everywhere.
    func listening(of node: Node) -> String { addressFollowsLeader ? "0.0.0.0" : "\(node.address),127.0.0.1" }
}
