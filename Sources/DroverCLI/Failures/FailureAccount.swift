import Engine
import Inventory

/// What a person must know of a failure, whoever shows it. The same failure of several hosts is one.
struct FailureAccount: Hashable, Sendable {
    private(set) var hosts: [String]
    /// What failed: the step, or a sentence.
    let title: String
    /// The name of the resource.
    private(set) var resource: String?
    /// The place in the playbook that declares the resource.
    private(set) var source: String?
    private(set) var exitStatus: Int32?
    /// The shell text of the step.
    private(set) var command: [String] = []
    /// Resources and what they still want, or steps that nobody approved.
    private(set) var wanted: [String] = []
    private(set) var quotations: [Quotation] = []
    private(set) var notBegun: [String] = []
    /// What to do next.
    let advice: String

    init(_ failure: HostFailure, on host: Host) {
        hosts = [host.name]
        advice = Self.advice(after: failure.exitStatus(on: host))
        switch failure {
        case .step(let step, let status, let output, let notBegun):
            title = step.change.summary
            tell(of: step)
            exitStatus = status
            command = CommandText.lines(of: step.change.script)
            let lines = StepOutput.lines(output, of: step)
            quotations = lines.isEmpty ? [] : [Quotation(lines, on: host.name)]
            self.notBegun = notBegun.map(\.change.summary)
        case .session(let error):
            title = Text.printable("\(error)")
        case .notConverged(let steps):
            title = "done, but not as declared"
            wanted = steps.map { step in
                "\(step.resource): \(step.change.summary)" + (step.source.map { "  (\($0))" } ?? "")
            }
        case .interrupted(let step, let notBegun):
            title = "interrupted" + (step.map { " while it was at: \($0.change.summary)" } ?? "")
            if let step { tell(of: step) }
            self.notBegun = notBegun.map(\.change.summary)
        case .moved(let steps):
            title = "the host has moved during the run: it wants steps that the plan does not have"
            wanted = steps
        }
    }

    private mutating func tell(of step: HostPlan.Step) {
        resource = step.resource
        source = step.source
    }

    /// `service haproxy, PostgresCluster/HAProxy.swift:41, exit status 1`
    var place: String {
        [resource, source, exitStatus.map { "exit status \($0)" }].compactMap(\.self).joined(separator: ", ")
    }

    /// Every failure once, with the hosts that it is about.
    static func grouped(_ failures: [(host: Host, failure: HostFailure)]) -> [FailureAccount] {
        var accounts: [FailureAccount] = []
        for (host, failure) in failures {
            let account = FailureAccount(failure, on: host)
            if let same = accounts.firstIndex(where: { $0.isSame(as: account) }) {
                accounts[same].join(account)
            } else {
                accounts.append(account)
            }
        }
        return accounts
    }

    /// Programs name hosts, times and process ids in what they print: it does not make a failure another one.
    private func isSame(as other: FailureAccount) -> Bool {
        var (left, right) = (self, other)
        (left.hosts, left.quotations) = ([], [])
        (right.hosts, right.quotations) = ([], [])
        return left == right
    }

    private mutating func join(_ other: FailureAccount) {
        hosts += other.hosts
        for quotation in other.quotations {
            if let same = quotations.firstIndex(where: { $0.isLike(quotation) }) {
                quotations[same].join(quotation)
            } else {
                quotations.append(quotation)
            }
        }
    }

    static func advice(after status: ExitStatus) -> String {
        switch status {
        case .unreachable: "bring back what is down, then run the same command again"
        case .loginRefused: "let the host and this machine know each other, then run the same command again"
        case .locked: "run the same command again with --wait, or when the other run has ended"
        case .interrupted: "run the same command again: it goes on where this run ended"
        case .stalePlan: "make a new plan, look at it, and apply that"
        case .notConverged: "run the same command again; if that does not help, look at what the resource wants there"
        default: "mend the cause, then run the same command again: it goes on where this run ended"
        }
    }
}
