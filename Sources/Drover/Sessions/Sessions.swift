import Inventory

/// The sessions of a run, one a host.
struct Sessions: Sendable {
    /// Who may be at work on the hosts at the same time.
    enum Purpose: Sendable {
        /// Looking only: any number of runs.
        case observe
        /// Changing: one run a host; a second one is told who holds it.
        case change
    }

    private let sessions: [String: HostSession]
    private let limit: Int

    /// Connects to many hosts at once.
    ///
    /// - Parameter purpose: what each host is connected to for.
    /// - Returns: the sessions of the hosts that were reached, and why the others were not.
    static func open(
        _ hosts: [Host], context: RunContext, for purpose: @escaping @Sendable (Host) -> Purpose
    ) async -> (sessions: Sessions, failures: [HostFailures.Failure]) {
        let results = await concurrently(hosts, atMost: context.options.parallel) { host in
            await Result(catching: {
                let session = HostSession(host, for: purpose(host), context: context)
                try await session.open()
                return session
            })
        }
        var sessions: [String: HostSession] = [:]
        var failures: [HostFailures.Failure] = []
        for (host, result) in zip(hosts, results) {
            switch result {
            case .success(let session): sessions[host.name] = session
            case .failure(let error): failures.append(HostFailures.Failure(host: host, error: error))
            }
        }
        return (Sessions(sessions: sessions, limit: context.options.parallel), failures)
    }

    subscript(_ host: Host) -> HostSession? { sessions[host.name] }

    func costs() async -> [String: HostCosts] {
        var costs: [String: HostCosts] = [:]
        for (name, session) in sessions { costs[name] = await session.costsSoFar }
        return costs
    }

    func close() async {
        _ = await concurrently(Array(sessions.values), atMost: limit) { await $0.close() }
    }
}
