public import Engine
public import Inventory
import SystemResources

extension Cluster {
    /// A member's part in an address that follows the leader: it has the address while its own Patroni says that it leads.
    @ResourceBuilder
    public func leaderAddress(on host: Host) throws -> [any Resource] {
        if configuration.addressFollowsLeader { try keepalived(on: host) }
    }

    /// What shows that clients find the leader at the address.
    @ResourceBuilder
    public func leaderAddressIsHeld(on host: Host) -> [any Resource] {
        if configuration.addressFollowsLeader, let address = configuration.balancing.address, member(host) != nil {
            isHeldHere(address)
        }
    }

    /// The host that has the address when all is well; none where it does not follow the leader.
    public var addressedLeader: [Host] {
        configuration.addressFollowsLeader && !isStandby ? [leader.host] : []
    }

    private func isHeldHere(_ address: String) -> Condition {
        Condition(
            "\(address) is at the leader", signs: [HostAddresses()],
            test: "ip -oneline -4 address show to \(quoting: address)/32 | grep -q .", unit: "keepalived.service",
            timeout: 60
        ) { facts in
            try facts[HostAddresses()].contains(address)
        }
    }
}
