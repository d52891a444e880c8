public import Engine
public import Inventory
import SystemResources

extension Cluster {
    static let packetTable = "cluster"

    /// Lets only those packets in that a host's parts in the cluster need, SSH, and what the inventory names. The rules of
    /// others stay as they are.
    @ResourceBuilder
    public func packetFilter(on host: Host) -> [any Resource] {
        if configuration.system.firewall != nil {
            NftablesTable(Cluster.packetTable, containing: packetRules(of: host))
        }
    }

    func packetRules(of host: Host) -> String {
        let daemons = configuration.daemonPorts(of: host)
        let inner = daemons.filter(\.isForClusterOnly).map(\.port)
        let given = configuration.system.firewall?.ports ?? [:]
        // Who connects by another port than sshd listens at comes through a translation of addresses.
        let open =
            [22, host.port ?? 22] + daemons.filter { !$0.isForClusterOnly }.map(\.port)
            + configuration.groups(of: host).flatMap { given[$0] ?? [] }
        let nodes = configuration.nodes.map(\.address) + strangers.compactMap(\.address).filter(Node.isAddress)
        var rules = [
            "ct state established,related accept", "iif lo accept", "meta l4proto { icmp, ipv6-icmp } accept",
            "tcp dport \(set(open)) accept",
        ]
        if !inner.isEmpty {
            rules.append("ip saddr { \(unique(nodes).joined(separator: ", ")) } tcp dport \(set(inner)) accept")
        }
        let rulesOfGroups = configuration.system.firewall?.rules ?? [:]
        rules += configuration.groups(of: host).flatMap { rulesOfGroups[$0] ?? [] }
        if configuration.mayHoldAddress(host.name) {
            let holders = unique(configuration.addressHolders.map(\.address)).joined(separator: ", ")
            rules.append("ip saddr { \(holders) } meta l4proto 112 accept")
        }
        return """
            chain input {
                type filter hook input priority filter; policy drop;
            \(rules.map { "    " + $0 }.joined(separator: "\n"))
            }
            """
    }

    private func set(_ ports: [Int]) -> String {
        "{ \(Set(ports).sorted().map(String.init).joined(separator: ", ")) }"
    }

    private func unique(_ addresses: [String]) -> [String] { Set(addresses).sorted() }
}
