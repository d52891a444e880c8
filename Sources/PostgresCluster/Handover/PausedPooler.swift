import Drover
import Secrets

/// Ensures that no new transaction gets through a pooler, and that those that are open had the time to end.
///
/// With a session pool a client keeps its connection to the server, paused or not, and may begin a transaction at any time;
/// what is open then when PostgreSQL stops is lost, as it is without a pause.
struct PausedPooler: Resource {
    let pooler: PoolerState
    let isDone: HandoverSign

    static let unit = "drover-handover-pooler"

    var name: String { "paused pooler" }

    var questions: [any Fact] { [pooler as any Fact] + isDone.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try facts[pooler].isEmpty, try !isDone.isSeen(in: facts) else { return [] }
        return [
            Change("pause PgBouncer, and let open transactions end", script: MaskedText(script), isDisturbing: true)
        ]
    }

    func essence(given facts: Facts) throws -> String { "\(try isDone.isSeen(in: facts))" }

    private var script: String {
        let busy = pooler.server.script(
            running: """
                SELECT 'busy' FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle'
                    AND pid <> pg_backend_pid() AND application_name NOT LIKE 'Patroni%';
                """)
        return """
            \(Watch.begin(PausedPooler.unit, atMost: Handover.patience, then: pooler.resuming))
            \(pooler.pausing)
            deadline=$(( $(date +%s) + \(Handover.graceOfTransactions) ))
            while { \(busy.reveal())} | grep -q busy; do
                [ "$(date +%s)" -lt "$deadline" ] || break
                sleep 0.05
            done
            """
    }
}

/// Ensures that the clients of a pooler need not wait any longer. When another member leads now, they are passed on to it.
struct ResumedPooler: Resource {
    /// To whom the clients are passed on.
    struct Target: Sendable {
        let address: String
        let port: Int
        /// The address and port of its REST API.
        let api: String
    }

    let pooler: PoolerState
    /// What it is about to be paused for; nil when it is not.
    let willBePausedUntil: HandoverSign?
    /// Nil when they stay.
    let target: Target?

    var name: String { "pooler that serves" }

    var questions: [any Fact] { [pooler as any Fact] + (willBePausedUntil?.questions ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let willBePaused = try willBePausedUntil.map { try !$0.isSeen(in: facts) } ?? false
        if try facts[pooler].isEmpty, !willBePaused { return [] }
        let summary = "let PgBouncer go on" + (target == nil ? "" : ", with the new leader")
        return [Change(summary, script: MaskedText(script))]
    }

    func essence(given facts: Facts) -> String { "" }

    private static let file = "/etc/pgbouncer/pgbouncer.ini"

    /// PgBouncer reads where to connect to, and the file is as it was again at once: what starts anew serves its own server.
    private var script: String {
        guard let target else { return ResumedPooler.ending(pooler) }
        let file = ResumedPooler.file
        return """
            kept=$(mktemp)
            trap 'cat "$kept" >\(file); touch -r "$kept" \(file); rm -f "$kept"' EXIT
            cp -p \(file) "$kept"
            sed -i --follow-symlinks 's|^\\* = .*|* = host=\(target.address) port=\(target.port)|' \(file)
            \(pooler.reloading)
            \(pooler.resuming)
            \(Watch.begin(PausedPooler.unit, while: lingering(target), atMost: Handover.linger, then: pooler.reloading + "\n" + pooler.resuming))
            """
    }

    /// Until no client is left, but not before the balancers lead the next ones to the new leader; and no longer than that
    /// leads.
    private func lingering(_ target: Target) -> String {
        """
        { [ "$(date +%s)" -lt $(( end - \(Handover.linger - Handover.patience) )) ] || \(pooler.hasClients); } \\
            && curl --silent --output /dev/null --noproxy '*' --fail --max-time 2 http://\(target.api)/primary
        """
    }

    /// Shell text that lets the clients of a pooler go on where they are.
    static func ending(_ pooler: PoolerState) -> String { "\(pooler.resuming)\n\(Watch.end(PausedPooler.unit))" }
}
