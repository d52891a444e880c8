import Engine
import Secrets
import SystemResources

/// With which values PostgreSQL runs, of the parameters that it reads only when it starts.
struct RunningParameters: Fact {
    let server: PostgresCatalog
    /// Which ones, in lower case and in this order.
    let names: [String]

    static func script(for questions: [RunningParameters]) -> ShellText {
        questions.map { question -> ShellText in
            "echo question\n{ \(question.server.script(running: question.sql))} 2>/dev/null"
        }.joined(separator: "\n")
    }

    private var sql: SQLText {
        """
        SELECT lower(name), vartype, coalesce(unit, ''), setting FROM pg_settings
            WHERE context = 'postmaster' AND lower(name) IN (\(literals: names.isEmpty ? [""] : names));
        """
    }

    /// A server that does not answer runs with nothing.
    static func answers(to questions: [RunningParameters], from output: String) throws
        -> [RunningParameters: [String: RunningValue]]
    {
        var answers: [[String: RunningValue]] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append([:])
                continue
            }
            let fields = line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            guard !answers.isEmpty, fields.count == 4, let kind = RunningValue.Kind(rawValue: fields[1]) else {
                throw UnreadableAnswer(RunningParameters.self, line)
            }
            answers[answers.count - 1][fields[0]] = RunningValue(fields[3], kind: kind, unit: fields[2])
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(RunningParameters.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

/// The parameters that one member shall have, beside those with which it runs.
struct ParametersInForce: Sendable {
    let declared: [ClusterConfiguration.Parameter]
    let running: RunningParameters
    /// What Patroni says of the member.
    let own: HTTPResponse

    /// A replica must not have less of these than the leader had when it wrote the log (PostgreSQL 15, "Hot Standby",
    /// 27.4.3): the leader takes a smaller value first, the replicas a larger one.
    static let limitsOfReplicas: Set = [
        "max_connections", "max_worker_processes", "max_wal_senders", "max_prepared_transactions",
        "max_locks_per_transaction",
    ]

    init(declared: [ClusterConfiguration.Parameter], server: PostgresCatalog, own: HTTPResponse) {
        self.declared = declared
        running = RunningParameters(server: server, names: declared.map { $0.name.lowercased() })
        self.own = own
    }

    var questions: [any Fact] { [running, own] }

    /// Whether PostgreSQL must be restarted to take what is declared.
    func needRestart(given facts: Facts) throws -> Bool {
        try isPending(given: facts) || !different(given: facts).isEmpty
    }

    /// Whether Patroni says so.
    func isPending(given facts: Facts) throws -> Bool {
        try facts[own].patroni(PatroniStatus.Own.self)?.pendingRestart ?? false
    }

    /// The limits of replicas that become smaller, or larger.
    func lowered(given facts: Facts) throws -> [ClusterConfiguration.Parameter] { try limits(given: facts, by: <) }
    func raised(given facts: Facts) throws -> [ClusterConfiguration.Parameter] { try limits(given: facts, by: >) }

    private func limits(
        given facts: Facts, by isChanged: (Int, Int) -> Bool
    ) throws -> [ClusterConfiguration.Parameter] {
        let running = try facts[running]
        return declared.filter { parameter in
            guard ParametersInForce.limitsOfReplicas.contains(parameter.name.lowercased()),
                let new = Int(parameter.value),
                let old = running[parameter.name.lowercased()].flatMap({ Int($0.text) })
            else { return false }
            return isChanged(new, old)
        }
    }

    private func different(given facts: Facts) throws -> [ClusterConfiguration.Parameter] {
        let running = try facts[running]
        return declared.filter { parameter in
            running[parameter.name.lowercased()].map { !$0.equals(parameter.value) } ?? false
        }
    }
}
