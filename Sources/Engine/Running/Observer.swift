import Inventory

/// Asks the hosts, and makes plays and plans of what they answer.
struct Observer<P: Playbook>: Sendable {
    let run: Run<P>
    let context: RunContext
    let sessions: Sessions
    /// The hosts that take part: a host that has failed does not any more.
    var hosts: [Host]

    /// What the hosts answered, and what is declared because of it.
    struct Findings: Sendable {
        var observed: Observations
        let declarations: Declarations
        /// The hosts that could not be asked.
        var failures: [HostFailures.Failure] = []
    }

    /// Asks what is still unknown in one exchange a host, then what only the answers showed to be worth asking.
    ///
    /// - Parameter known: what the hosts have told already.
    /// - Throws: ``Refusal``.
    func observe(beyond known: Observations) async throws -> Findings {
        var observed = known
        var failures: [HostFailures.Failure] = []
        var asked = hosts
        while true {
            let declarations = try Declarations(plays(given: observed))
            let open = asked.map { host in
                Question(
                    host: host, session: sessions[host],
                    requests: requests(for: host, declarations, given: observed[host])
                        .unanswered(by: observed[host]))
            }.filter { !$0.requests.isEmpty }
            if open.isEmpty { return Findings(observed: observed, declarations: declarations, failures: failures) }
            for (host, answer) in await ask(open) {
                switch answer {
                case .success(let facts): observed[host].merge(facts)
                case .failure(let error):
                    failures.append(HostFailures.Failure(host: host, error: error))
                    asked.removeAll { $0.name == host.name }
                }
            }
            // A host that gave no answer must not decide what the plays of the others are.
            if !failures.isEmpty, failures.count == hosts.count {
                return Findings(observed: observed, declarations: declarations, failures: failures)
            }
        }
    }

    /// Asks a host anew after a play has changed it: what shows whether that play succeeded, and what the next play there
    /// is decided by. All other answers are old from now on, and are asked for when a play comes to them.
    func observeAgain(_ host: Host, afterPlay index: Int, given observed: Observations) async throws -> Facts {
        let plays = try plays(given: observed)
        let next = plays.dropFirst(index + 1).first { $0.hosts.contains { $0.name == host.name } }
        var observed = observed
        observed[host].age()
        return try await ask(host, about: [plays[index]] + (next.map { [$0] } ?? []), given: observed)
    }

    /// Asks a host what a play there is decided by, as far as the answers are from before a change.
    func refresh(_ host: Host, before index: Int, given observed: Observations) async throws -> Facts {
        var observed = observed
        while true {
            let plays = try plays(given: observed)
            guard let session = sessions[host], index < plays.count else { return observed[host] }
            let declarations = try Declarations([plays[index].on { $0.name == host.name }])
            let open = requests(for: host, declarations, given: observed[host]).unanswered(by: observed[host])
            if open.isEmpty { return observed[host] }
            // What is answered may make the play another one, whose resources ask more.
            observed[host].merge(try await session.gather(open, as: .gathering))
        }
    }

    /// Asks all hosts everything anew, and then what only the answers showed to be worth asking: they may make other plays.
    ///
    /// - Throws: ``Refusal``.
    func observeAgain(given known: Observations) async throws -> Findings {
        let looks = await concurrently(hosts, atMost: context.options.parallel) { host in
            (host, await Result(catching: { try await ask(host, about: plays(given: known), given: known) }))
        }
        var observed = known
        var failures: [HostFailures.Failure] = []
        for (host, look) in looks {
            switch look {
            case .success(let facts): observed[host] = facts
            case .failure(let error): failures.append(HostFailures.Failure(host: host, error: error))
            }
        }
        guard failures.isEmpty else {
            return Findings(observed: observed, declarations: try Declarations([]), failures: failures)
        }
        return try await observe(beyond: observed)
    }

    /// The plays, each on those of its hosts that take part and may be changed.
    func plays(given observed: Observations) throws -> [Play] {
        let names = Set(hosts.map(\.name))
        return try run.playbook.plays(for: run.model, observed: observed).map { play in
            let isSelected = context.options.selects(play)
            return play.on { isSelected && names.contains($0.name) && context.options.includes($0) }
        }
    }

    private func ask(_ host: Host, about plays: [Play], given observed: Observations) async throws -> Facts {
        guard let session = sessions[host] else { return observed[host] }
        var facts = observed[host]
        let declarations = try Declarations(plays.map { $0.on { $0.name == host.name } })
        facts.merge(try await session.gather(requests(for: host, declarations, given: Facts()), as: .verifying))
        try await complete(&facts, of: host, declarations, by: session, as: .verifying)
        return facts
    }

    /// Asks what is still unknown, and then what only the answers show to be worth asking.
    private func complete(
        _ facts: inout Facts, of host: Host, _ declarations: Declarations, by session: HostSession, as phase: HostPhase
    ) async throws {
        while true {
            let open = requests(for: host, declarations, given: facts).unanswered(by: facts)
            if open.isEmpty { return }
            facts.merge(try await session.gather(open, as: phase))
        }
    }

    /// - Parameter facts: what is known of the host already.
    private func requests(for host: Host, _ declarations: Declarations, given facts: Facts) -> FactRequests {
        FactRequests(
            run.playbook.questions(of: host, in: run.model) + declarations.questions(of: host, given: facts))
    }

    private func ask(_ questions: [Question]) async -> [(Host, Result<Facts, any Error>)] {
        let answers = await concurrently(questions, atMost: context.options.parallel) { question in
            await Result { try await question.session?.gather(question.requests) ?? Facts() }
        }
        return Array(zip(questions.map(\.host), answers))
    }

    private struct Question: Sendable {
        let host: Host
        let session: HostSession?
        let requests: FactRequests
    }
}
