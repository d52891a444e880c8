import ArgumentParser
import Diagnostics
package import Engine
import Inventory

/// Turns what went wrong into words for people and a number for programs.
package enum Failure {
    /// Runs `body` and exits with the status it returns, or with the one that fits what it throws.
    package static func explained(_ body: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await body()
            Terminal.printNotes()
        } catch {
            Terminal.printNotes()
            Terminal.printError(error)
            throw ExitCode(self.status(of: error).rawValue)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let refusal as Refusal: "refused: \(refusal)"
        case is CancellationError: "interrupted; nothing was changed"
        case let failures as HostFailures: text(of: failures)
        default: "\(error)"
        }
    }

    /// Each reason once, with the hosts that it is about, and what to do next where the reason does not say it.
    private static func text(of failures: HostFailures) -> String {
        var reasons: [(hosts: [String], text: String)] = []
        for failure in failures.failures {
            let text = "\(failure.error)"
            if let same = reasons.firstIndex(where: { $0.text == text }) {
                reasons[same].hosts.append(failure.host.name)
            } else {
                reasons.append(([failure.host.name], text))
            }
        }
        let lines = reasons.map { "\($0.hosts.joined(separator: " ")): \($0.text)" }
        let status = failures.exitStatus
        let advice = [.unreachable, .locked].contains(status) ? ["  → " + FailureAccount.advice(after: status)] : []
        return (lines + advice).joined(separator: "\n")
    }

    static func status(of error: any Error) -> ExitStatus {
        switch error {
        case is Diagnostic, is Diagnostics: .wrongInput
        case is Refusal: .refused
        case is StalePlan: .stalePlan
        case let failures as HostFailures: failures.exitStatus
        case is CancellationError: .interrupted
        default: .stepFailed
        }
    }
}
