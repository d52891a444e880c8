import Engine
import Secrets
import SystemResources

/// Ensures that a host does not hold the address of the cluster. keepalived takes it away when it stops, but not when it was
/// killed.
struct NoAddress: Resource {
    let address: String
    let prefix: Int
    let interface: String

    var name: String { "no address \(address)" }

    var questions: [any Fact] { [HostAddresses()] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try facts[HostAddresses()].contains(address) else { return [] }
        let held: ShellText = "ip -oneline -4 address show to \(quoting: address)/32"
        return [
            Change(
                "take \(address) away", .remove,
                script: """
                    [ -z "$(\(held))" ] || ip address delete \(quoting: address)/\(prefix) dev \(quoting: interface)
                    [ -z "$(\(held))" ]
                    """, isDisturbing: true)
        ]
    }

    /// Whether somebody else uses the address is no part of the decision.
    func essence(given facts: Facts) throws -> String { "\(try facts[HostAddresses()].contains(address))" }
}
