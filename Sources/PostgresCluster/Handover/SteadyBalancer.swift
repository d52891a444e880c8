import Engine
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
    /// The REST API of who leads afterwards.
    let api: PatroniAPI

    static let unit = "drover-handover"

    var orders: HAProxyOrders { HAProxyOrders(listener: listener) }

    func others(than names: String...) -> [String] { members.filter { !names.contains($0) } }

    /// Shell text that has new clients led to who leads now, and leaves the old leader's where they are.
    func turn(from old: String?) -> ShellText {
        var orders = self.orders.use(to)
        if let old { orders += self.orders.drain(old) }
        orders += others(than: to).filter { $0 != old }.flatMap(self.orders.check)
        return HAProxyOrders.script(orders)
    }

    /// Shell text that ends the connections to the old leader when none is in use any more, when the new one leads no more,
    /// or when they have lasted for long enough.
    func farewell(to old: String) -> ShellText {
        let isNeeded: ShellText = """
            \(table) | awk -F, '$1 == "\(inSingleQuotes: listener)" && $2 == "\(inSingleQuotes: old)" { stay = $5 > 0 }
                $1 == "\(inSingleQuotes: listener)" && $2 == "\(inSingleQuotes: to)" { leads = $18 ~ /^UP/ }
                END { exit !(stay && leads) }'
            """
        return "\(Watch.linger(while: isNeeded, atMost: Handover.linger))\n\(HAProxyOrders.script(orders.check(old)))"
    }

    var table: ShellText { "curl --silent --noproxy '*' --fail --max-time 2 \(quoting: view.url)" }

    /// The state of a server, as HAProxy's table has it.
    func status(of server: String, in answer: HTTPResponse.Answer) -> String? {
        HAProxyView(answer).servers.first { $0.listener == listener && $0.name == server }?.status
    }

    /// Whether HAProxy leads clients as it was told, and not by its checks.
    func isSteady(_ answer: HTTPResponse.Answer) -> Bool {
        members.contains { ["no check", "MAINT"].contains(status(of: $0, in: answer)) }
    }
}

/// Ensures that a balancer keeps to the leader though it will not answer for some seconds, and to nobody else.
///
/// Clients then wait in its pooler, which is paused, instead of losing their connections. Where the leader is down, as it is
/// without its pooler, there are none to keep.
struct SteadyBalancer: Resource {
    let passage: Passage
    /// For how long it is steady if the run dies, in seconds.
    var patience = Handover.patience
    /// After it the balancer need not be steady any more.
    let isDone: @Sendable (Facts) -> Bool

    var name: String { "balancer that keeps to \(passage.from)" }

    var questions: [any Fact] { [passage.view] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let answer = try facts[passage.view]
        guard answer.status == 200, !isDone(facts), let status = passage.status(of: passage.from, in: answer),
            status == "no check" || status.hasPrefix("UP")
        else { return [] }
        let isSteady =
            status == "no check"
            && passage.others(than: passage.from).allSatisfy { passage.status(of: $0, in: answer) == "MAINT" }
        return isSteady ? [] : [Change("keep clients at \(passage.from) meanwhile", script: script)]
    }

    func essence(given facts: Facts) -> String { passage.from }

    /// When the run dies, the balancer itself turns to the new leader, or lets things be as they were.
    private var script: ShellText {
        let orders = passage.orders
        let others = passage.others(than: passage.from)
        let isRestart = passage.from == passage.to
        let watch = Watch.script(
            for: isRestart ? nil : Watch.leads(passage.api),
            then: "\(passage.turn(from: passage.from))\n\(passage.farewell(to: passage.from))",
            after: patience,
            otherwise: HAProxyOrders.script(others.flatMap(orders.check) + orders.use(passage.from)))
        return """
            \(Watch.begin(Passage.unit, watch))
            \(HAProxyOrders.script(orders.keep(passage.from) + others.flatMap(orders.suspend)))
            """
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
        let isSteady = passage.isSteady(answer)
        let up = HAProxyView(answer).servers(of: passage.listener, in: "UP")
        if !isSteady, !willBeSteady, up == [passage.to] { return [] }
        let old = passage.others(than: passage.to).first { passage.status(of: $0, in: answer) == "no check" }
        return [Change("lead clients to \(passage.to)", script: script(from: old))]
    }

    func essence(given facts: Facts) -> String { passage.to }

    /// Who leads is known: HAProxy is told, and need not find out by one check after the other.
    private func script(from old: String?) -> ShellText {
        let isUp: ShellText = #"$1 == "\#(inSingleQuotes: passage.listener)" && $18 == "UP" { print $2 }"#
        return """
            \(Watch.end(Passage.unit))
            \(passage.turn(from: old))
            \(old.map { Watch.begin(Passage.unit, passage.farewell(to: $0)) } ?? "")
            deadline=$(( $(date +%s) + 20 ))
            until \(passage.table) | awk -F, '\(isUp)' | grep -qx \(quoting: passage.to); do
                [ "$(date +%s)" -lt "$deadline" ] || { echo "HAProxy does not lead to \(inDoubleQuotes: passage.to)"; exit 1; }
                sleep 0.05
            done
            """
    }
}
