public import Inventory

/// Whether hosts can be reached, logged in to and worked on: as a run would, but without any wish.
public struct Ping: Sendable {
    /// What a host has answered.
    public struct Answer: Hashable, Sendable {
        /// Who has logged in where: `user@address:port`, or `user` on this machine.
        public let login: String
        /// As whom scripts run there.
        public let user: String
        /// How long it took to connect, to log in, and to get a shell.
        public let opening: Duration
        /// How long one exchange took after that.
        public let exchange: Duration
    }

    private let context: RunContext

    /// - Parameter parallel: how many hosts at the same time, at most.
    public init(settings: ConnectionSettings, parallel: Int, interruption: Interruption) {
        var options = RunOptions()
        options.parallel = parallel
        context = RunContext(
            identity: .new(of: "ping"), options: options, settings: settings, interruption: interruption,
            reporter: Reporters([]))
    }

    /// - Returns: for each host its answer, or why there is none, in the order of the hosts.
    /// - Throws: `CancellationError` when it was interrupted.
    public func ask(_ hosts: [Host]) async throws -> [(host: Host, outcome: Result<Answer, any Error>)] {
        let outcomes = try await context.interruption.cancelling {
            await concurrently(hosts, atMost: context.options.parallel) { host in
                let session = HostSession(host, for: .observe, context: context)
                let outcome = await Result(catching: { try await answer(of: session) })
                await session.close()
                return outcome
            }
        }
        return Array(zip(hosts, outcomes))
    }

    private func answer(of session: HostSession) async throws -> Answer {
        let clock = ContinuousClock()
        let start = clock.now
        try await session.open()
        let opened = clock.now
        let facts = try await session.gather(FactRequests([WorkingUser()]))
        return Answer(
            login: await session.login, user: try facts[WorkingUser()], opening: opened - start,
            exchange: clock.now - opened)
    }
}

/// As whom scripts run on a host.
private struct WorkingUser: Fact {
    static func script(for questions: [WorkingUser]) -> ShellText { "id -un" }

    static func answers(to questions: [WorkingUser], from output: String) throws -> [WorkingUser: String] {
        guard let name = output.split(whereSeparator: \.isNewline).first else {
            throw UnreadableAnswer(WorkingUser.self, output)
        }
        return [WorkingUser(): String(name)]
    }
}
