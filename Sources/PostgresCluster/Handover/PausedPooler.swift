import Engine
import Secrets

/// Ensures that no new transaction gets through a pooler, and that those that are open had the time to end.
///
/// With a session pool a client keeps its connection to the server, paused or not, and may begin a transaction at any time;
/// what is open then when PostgreSQL stops is lost, as it is without a pause.
struct PausedPooler: Resource {
    let pause: PoolerPause
    let isDone: HandoverSign
    /// Who leads afterwards; nil when the leader stays.
    let successor: Successor?

    /// To whom the clients are passed on.
    struct Successor: Sendable {
        let address: String
        let port: Int
        /// Its REST API.
        let api: PatroniAPI
    }

    static let unit = "drover-handover-pooler"

    var name: String { "paused pooler" }

    var questions: [any Fact] { [pause.question as any Fact] + isDone.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try !facts[pause.question], try !isDone.isSeen(in: facts) else { return [] }
        return [
            Change("pause PgBouncer, and let open transactions end", .stop, script: script, isDisturbing: true)
        ]
    }

    func essence(given facts: Facts) throws -> String { "\(try isDone.isSeen(in: facts))" }

    private var script: ShellText {
        let busy = pause.server.script(
            running: """
                SELECT 'busy' FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle'
                    AND pid <> pg_backend_pid() AND application_name NOT LIKE 'Patroni%';
                """)
        return """
            \(Watch.begin(PausedPooler.unit, watch))
            \(pause.begin)
            deadline=$(( $(date +%s) + \(Handover.graceOfTransactions) ))
            while { \(busy)} | grep -q busy; do
                [ "$(date +%s)" -lt "$deadline" ] || break
                sleep 0.05
            done
            """
    }

    /// The host itself passes the clients on as soon as another member leads, or lets them go on where they are when that takes
    /// too long.
    private var watch: ShellText {
        guard let successor else {
            return Watch.script(for: nil, then: ":", after: Handover.patience, otherwise: pause.end)
        }
        return Watch.script(
            for: Watch.leads(successor.api), then: pause.end(passingTo: successor) + "\n" + farewell(to: successor),
            after: Handover.patience, otherwise: pause.end)
    }

    /// Serves them again from here when none is left (but not before the balancers lead the next ones elsewhere), when the
    /// other one leads no more, or when they have lasted for long enough. Should this one lead again then, it has two seconds
    /// for it: only after these does the other one come back as a replica, and would refuse what clients write.
    private func farewell(to successor: Successor) -> ShellText {
        let isNeeded: ShellText = """
            { [ "$(date +%s)" -lt $(( until - \(Handover.linger - Handover.patience) )) ] || \(pause.hasClients); } \\
                && \(Watch.leads(successor.api))
            """
        return "\(Watch.linger(while: isNeeded, atMost: Handover.linger))\n\(pause.reloading)"
    }
}

/// Ensures that the clients of a pooler need not wait any longer.
struct ResumedPooler: Resource {
    let pause: PoolerPause
    /// What it is about to be paused for; nil when it is not.
    let willBePausedUntil: HandoverSign?
    /// Whether the host itself sees to it, when another member leads.
    let isPassedOn: Bool

    var name: String { "pooler that serves" }

    var questions: [any Fact] { [pause.question as any Fact] + (willBePausedUntil?.questions ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let willBePaused = try willBePausedUntil.map { try !$0.isSeen(in: facts) } ?? false
        if try !facts[pause.question], !willBePaused { return [] }
        let summary = "let PgBouncer go on" + (isPassedOn ? ", with the new leader" : "")
        return [Change(summary, script: isPassedOn ? waiting : ResumedPooler.ending(pause))]
    }

    func essence(given facts: Facts) -> String { "" }

    private var waiting: ShellText {
        """
        while systemctl is-active --quiet \(quoting: PausedPooler.unit).service && \(pause.isOn); do sleep 0.05; done
        \(pause.end)
        """
    }

    /// Shell text that lets the clients of a pooler go on where they are.
    static func ending(_ pause: PoolerPause) -> ShellText { "\(Watch.end(PausedPooler.unit))\n\(pause.end)" }
}
