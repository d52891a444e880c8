import Engine
import SystemResources

/// Ensures that HAProxy leads no new clients to a server that its configuration no longer names, or is about to lose.
///
/// The reload alone is not enough: `systemctl reload` can return before the former process has stopped taking clients in.
struct DrainedServer: Resource {
    let server: String
    let view: HTTPResponse

    var name: String { "way to \(server)" }

    var questions: [any Fact] { [view] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let servers = HAProxyView(try facts[view]).servers.filter { $0.name == server }
        // One that is down gets no clients, and stays so to look at when it is drained.
        guard servers.contains(where: { $0.isUp || $0.status == "no check" }) else { return [] }
        let orders = servers.flatMap { HAProxyOrders(listener: $0.listener).drain(server) }
        return [Change("lead no new clients to \(server)", script: HAProxyOrders.script(orders))]
    }

    /// Whether the server is up at the moment is no matter.
    func essence(given facts: Facts) -> String { server }
}
