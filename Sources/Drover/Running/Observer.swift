import Inventory

/// Asks the hosts, and makes plays and plans of what they answer.
struct Observer<P: Playbook>: Sendable {
    let run: Run<P>
    let hosts: [Host]
    let sessions: Sessions

    /// Asks everything in one exchange a host, then what only the answers showed to be worth asking.
    ///
    /// - Throws: ``HostFailures``, ``Refusal``.
    func observe() async throws -> (observed: Observations, plan: Plan) {
        var observed = Observations()
        while true {
            let plays = try run.playbook.plays(for: run.model, observed: observed)
            let open = try hosts.map { host in
                (host: host, requests: try requests(for: host, in: plays).unanswered(by: observed[host]))
            }.filter { !$0.requests.isEmpty }
            if open.isEmpty { return (observed, try Plan(plays, observed: observed)) }
            try await ask(open, into: &observed)
        }
    }

    /// Asks a host anew after a play has changed it: what shows whether that play succeeded, and what the next play there
    /// is decided by. The answers that only later plays want would be old again by then.
    func observeAgain(_ host: Host, afterPlay index: Int, given observed: Observations) async throws -> Facts {
        let plays = try plays(given: observed)
        let next = plays.dropFirst(index + 1).first { $0.hosts.contains { $0.name == host.name } }
        return try await ask(host, about: [plays[index]] + (next.map { [$0] } ?? []), given: observed)
    }

    /// Asks a host everything anew.
    func observeAgain(_ host: Host, given observed: Observations) async throws -> Facts {
        try await ask(host, about: plays(given: observed), given: observed)
    }

    private func ask(_ host: Host, about plays: [Play], given observed: Observations) async throws -> Facts {
        guard let session = sessions[host] else { return observed[host] }
        var facts = observed[host]
        facts.merge(try await session.gather(requests(for: host, in: plays)))
        return facts
    }

    func plays(given observed: Observations) throws -> [Play] {
        try run.playbook.plays(for: run.model, observed: observed)
    }

    private func requests(for host: Host, in plays: [Play]) throws -> FactRequests {
        var requests = FactRequests(run.playbook.questions(of: host, in: run.model))
        for play in plays where play.hosts.contains(where: { $0.name == host.name }) {
            for resource in try play.resources(on: host) { requests.formUnion(resource.questions) }
        }
        return requests
    }

    private func ask(
        _ open: [(host: Host, requests: FactRequests)], into observed: inout Observations
    ) async throws {
        let answers = await concurrently(open.map { Question(session: sessions[$0.host], requests: $0.requests) }) {
            question in
            await Result { try await question.session?.gather(question.requests) ?? Facts() }
        }
        var failures: [HostFailures.Failure] = []
        for ((host, _), answer) in zip(open, answers) {
            switch answer {
            case .success(let facts): observed[host].merge(facts)
            case .failure(let error): failures.append(HostFailures.Failure(host: host.name, error: error))
            }
        }
        if !failures.isEmpty { throw HostFailures(failures) }
    }

    private struct Question: Sendable {
        let session: HostSession?
        let requests: FactRequests
    }
}
