import Drover
import Secrets
import SystemResources

/// How one balancer passes its clients from one leader to the next.
struct Passage: Sendable {
    let listener: String
    let view: HTTPResponse
    /// All servers of the listener.
    let members: [String]
    let from: String
    /// Who leads afterwards; the same one when it is only restarted.
    let to: String

    static let unit = "drover-handover"

    var orders: HAProxyOrders { HAProxyOrders(listener: listener) }

    func others(than names: String...) -> [String] { members.filter { !names.contains($0) } }

    /// The state of a server, as HAProxy's table has it.
    func status(of server: String, in answer: HTTPResponse.Answer) -> String? {
        HAProxyView(answer).servers.first { $0.listener == listener && $0.name == server }?.status
    }
}

/// Ensures that a balancer keeps to the leader though it will not answer for some seconds, and to nobody else.
///
/// Clients then wait in its pooler, which is paused, instead of losing their connections.
struct SteadyBalancer: Resource {
    let passage: Passage
    /// After it the balancer need not be steady any more.
    let isDone: @Sendable (Facts) -> Bool

    var name: String { "balancer that keeps to \(passage.from)" }

    var questions: [any Fact] { [passage.view] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let answer = try facts[passage.view]
        guard answer.status == 200, !isDone(facts) else { return [] }
        let isSteady =
            passage.status(of: passage.from, in: answer) == "no check"
            && passage.others(than: passage.from).allSatisfy { passage.status(of: $0, in: answer) == "MAINT" }
        return isSteady ? [] : [Change("keep clients at \(passage.from) meanwhile", script: MaskedText(script))]
    }

    func essence(given facts: Facts) -> String { passage.from }

    private var script: String {
        let orders = passage.orders
        let others = passage.others(than: passage.from)
        let ending = others.flatMap(orders.check) + orders.use(passage.from)
        let watch = Watch.begin(Passage.unit, atMost: Handover.patience, then: HAProxyOrders.script(ending))
        return watch + "\n" + HAProxyOrders.script(orders.keep(passage.from) + others.flatMap(orders.suspend))
    }
}

/// Ensures that a balancer leads new clients to who leads. Those that it has stay where they are: the pooler of the old leader
/// passes them on.
struct PassedClients: Resource {
    let passage: Passage
    /// Whether the balancer is about to keep to a leader that is restarted.
    let willBeSteady: Bool

    var name: String { "clients of \(passage.to)" }

    var questions: [any Fact] { [passage.view] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let answer = try facts[passage.view]
        guard answer.status == 200 else { return [] }
        let isSteady = passage.members.contains { ["no check", "MAINT"].contains(passage.status(of: $0, in: answer)) }
        let up = HAProxyView(answer).servers(of: passage.listener, in: "UP")
        if !isSteady, !willBeSteady, up == [passage.to] { return [] }
        let old = passage.others(than: passage.to).first { passage.status(of: $0, in: answer) == "no check" }
        return [Change("lead clients to \(passage.to)", script: MaskedText(script(from: old)))]
    }

    func essence(given facts: Facts) -> String { passage.to }

    /// Who leads is known: HAProxy is told, and need not find out by one check after the other. For a moment there may be two
    /// to lead to, but never none: who comes then is let in a little later.
    private func script(from old: String?) -> String {
        var orders = passage.orders.use(passage.to)
        if let old { orders += passage.orders.drain(old) }
        orders += passage.others(than: passage.to).filter { $0 != old }.flatMap(passage.orders.check)
        let isUp = #"$1 == "\#(passage.listener)" && $18 == "UP" { print $2 }"#
        return """
            \(old.map(lingering) ?? Watch.end(Passage.unit))
            \(HAProxyOrders.script(orders))
            deadline=$(( $(date +%s) + 20 ))
            until \(table) | awk -F, '\(isUp)' | grep -qx \(passage.to); do
                [ "$(date +%s)" -lt "$deadline" ] || { echo "HAProxy does not lead to \(passage.to)"; exit 1; }
                sleep 0.05
            done
            """
    }

    private var table: String { "curl --silent --noproxy '*' --fail --max-time 2 \(Shell.quote(passage.view.url))" }

    /// Until the old leader has no clients left, or the new one leads no more; it is about to lead when this begins.
    private func lingering(_ old: String) -> String {
        Watch.begin(
            Passage.unit,
            while: """
                [ "$(date +%s)" -lt $(( end - \(Handover.linger - 5) )) ] || \(table) | awk -F, '$1 == "\(passage.listener)" && $2 == "\(old)" { stay = $5 > 0 }
                    $1 == "\(passage.listener)" && $2 == "\(passage.to)" { leads = $18 ~ /^UP/ }
                    END { exit !(stay && leads) }'
                """,
            atMost: Handover.linger, then: HAProxyOrders.script(passage.orders.check(old)))
    }
}
