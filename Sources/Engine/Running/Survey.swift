public import Inventory

/// Asks hosts without wanting anything of them. A host that cannot be asked does not keep the others from answering.
public enum Survey {
    /// - Parameter questions: what to ask of a host, given what it has answered. It is asked again until nothing is open.
    /// - Returns: for each host its answers, or why there are none, in the order of the hosts.
    public static func ask(
        _ hosts: [Host], settings: ConnectionSettings, questions: @escaping @Sendable (Host, Facts) -> [any Fact]
    ) async -> [(host: Host, answers: Result<Facts, any Error>)] {
        let context = RunContext(
            identity: .new(of: "survey"), options: RunOptions(), settings: settings, interruption: Interruption(),
            reporter: Reporters([]))
        let results = await concurrently(hosts, atMost: context.options.parallel) { host in
            await Result(catching: {
                let session = HostSession(host, for: .observe, context: context)
                try await session.open()
                let answers = await Result(catching: {
                    var facts = Facts()
                    while true {
                        let open = FactRequests(questions(host, facts)).unanswered(by: facts)
                        if open.isEmpty { return facts }
                        facts.merge(try await session.gather(open))
                    }
                })
                await session.close()
                return try answers.get()
            })
        }
        return Array(zip(hosts, results))
    }
}
