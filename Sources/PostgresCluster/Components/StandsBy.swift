import Engine
import Secrets
import SystemResources

/// Ensures that a balancer whose keepalived was started does not take the address from who holds it. If it does, because
/// neither hears the other, its keepalived is stopped at once: two holders answer clients in turns.
struct StandsBy: Resource {
    let address: String
    /// The balancer that has the address.
    let holder: String

    private static let unit = "keepalived.service"

    var name: String { "address \(address) stays at \(holder)" }

    var questions: [any Fact] { [HostAddresses()] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let isHeldHere = try facts[HostAddresses()].contains(address)
        if !isHeldHere, !pending.contains(.starts(StandsBy.unit)) { return [] }
        return [Change("see that \(address) stays at \(holder)", script: script)]
    }

    /// Who hears nobody for three advertisements and a part of a fourth, which are a second apart, takes the address.
    private var script: ShellText {
        """
        deadline=$(( $(date +%s) + 6 ))
        while [ "$(date +%s)" -lt "$deadline" ]; do
            if ip -oneline -4 address show | grep -qF \(quoting: " \(address)/"); then
                keep_unit \(quoting: StandsBy.unit)
                systemctl stop \(quoting: StandsBy.unit)
                echo "this host took \(inDoubleQuotes: address), which \(inDoubleQuotes: holder) holds: they do not hear each other."
                echo "Its keepalived was stopped. Let VRRP, IP protocol 112, pass between the balancers, and run this again."
                exit 1
            fi
            systemctl is-active --quiet \(quoting: StandsBy.unit) || { echo "keepalived does not run"; exit 1; }
            sleep 0.2
        done
        """
    }
}
