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

    /// Connects to many hosts at once, and asks each as soon as it is reached.
    ///
    /// - Parameters:
    ///   - questions: what each host is asked at once.
    ///   - purpose: what each host is connected to for.
    /// - Returns: the sessions of the hosts that were reached and have answered, what they answered, and why the others
    ///   have not.
    static func open(
        _ hosts: [Host], context: RunContext, asking questions: @escaping @Sendable (Host) -> FactRequests,
        for purpose: @escaping @Sendable (Host) -> Purpose
    ) async -> (sessions: Sessions, observed: Observations, failures: [HostFailures.Failure]) {
        let results = await concurrently(hosts, atMost: context.options.parallel) { host in
            let session = HostSession(host, for: purpose(host), context: context)
            let facts = await Result(catching: {
                try await session.open()
                let questions = questions(host)
                return questions.isEmpty ? Facts() : try await session.gather(questions)
            })
            if case .failure = facts { await session.close() }
            return (session, facts)
        }
        var sessions: [String: HostSession] = [:]
        var observed = Observations()
        var failures: [HostFailures.Failure] = []
        for (host, (session, result)) in zip(hosts, results) {
            switch result {
            case .success(let facts): (sessions[host.name], observed[host]) = (session, facts)
            case .failure(let error): failures.append(HostFailures.Failure(host: host, error: error))
            }
        }
        return (Sessions(sessions: sessions, limit: context.options.parallel), observed, failures)
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
