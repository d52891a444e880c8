public import Inventory

/// Asks the same hosts again and again, over connections that stay open.
///
/// A host that cannot be asked does not keep the others from answering; its connection is made anew for the next time.
public actor StandingSurvey {
    private let hosts: [Host]
    private let context: RunContext
    private let patience: HostSession.Patience
    /// The connections that are open, by host.
    private var sessions: [String: HostSession] = [:]

    public init(of hosts: [Host], settings: ConnectionSettings) {
        self.init(of: hosts, settings: settings, patience: .none)
    }

    init(of hosts: [Host], settings: ConnectionSettings, patience: HostSession.Patience) {
        self.hosts = hosts
        self.patience = patience
        context = RunContext(
            identity: .new(of: "survey"), options: RunOptions(), settings: settings, interruption: Interruption(),
            reporter: Reporters([]))
    }

    /// - Parameter questions: what to ask of a host, given what it has answered. It is asked again until nothing is open.
    /// - Returns: for each host its answers, or why there are none, in the order of the hosts.
    public func ask(
        questions: @escaping @Sendable (Host, Facts) -> [any Fact]
    ) async -> [(host: Host, answers: Result<Facts, any Error>)] {
        let sessions = sessions
        let results = await concurrently(hosts, atMost: context.options.parallel) { [context, patience] host in
            func answers(of session: HostSession) async -> Result<Facts, any Error> {
                await Result(catching: {
                    var facts = Facts()
                    while true {
                        let open = FactRequests(questions(host, facts)).unanswered(by: facts)
                        if open.isEmpty { return facts }
                        facts.merge(try await session.gather(open))
                    }
                })
            }
            if let session = sessions[host.name] {
                let answers = await answers(of: session)
                if case .success = answers { return (session: Optional(session), answers: answers) }
                // The connection may have been lost since the last time, from a host that is well.
                await session.close()
            }
            let session = HostSession(host, for: .observe, context: context, patience: patience)
            let opened = await Result(catching: { try await session.open() })
            if case .failure(let error) = opened { return (session: nil, answers: .failure(error)) }
            let answers = await answers(of: session)
            if case .success = answers { return (session: Optional(session), answers: answers) }
            await session.close()
            return (session: nil, answers: answers)
        }
        for (host, result) in zip(hosts, results) { self.sessions[host.name] = result.session }
        return zip(hosts, results).map { ($0, $1.answers) }
    }

    /// Closes all connections.
    public func close() async {
        let open = Array(sessions.values)
        sessions = [:]
        _ = await concurrently(open, atMost: context.options.parallel) { await $0.close() }
    }
}
