public import Inventory
import SSH

/// The hosts on which a run could not go on, each with its reason.
public struct HostFailures: Error, CustomStringConvertible {
    /// A host, and the error that stopped it.
    public struct Failure: Sendable {
        public let host: Host
        public let error: any Error

        public init(host: Host, error: any Error) {
            self.host = host
            self.error = error
        }

        /// What the program would exit with for this alone.
        var exitStatus: ExitStatus {
            if error is CancellationError { return .interrupted }
            guard let error = error as? SSHError else { return .stepFailed }
            return switch error.code {
            case .hostKeyUnknown, .hostKeyChanged, .hostKeyRevoked, .loginRefused, .becomeRefused: .loginRefused
            case .locked, .lockedByStep: .locked
            case .unreachable, .connectionLost, .timedOut: .unreachable
            default: .stepFailed
            }
        }
    }

    public let failures: [Failure]

    public init(_ failures: [Failure]) {
        self.failures = failures
    }

    /// The failures of a survey in which no host answered; nil when one did.
    public init?(allOf answers: [(host: Host, answers: Result<Facts, any Error>)]) {
        let failures = answers.compactMap { entry -> Failure? in
            if case .failure(let error) = entry.answers { Failure(host: entry.host, error: error) } else { nil }
        }
        guard !failures.isEmpty, failures.count == answers.count else { return nil }
        self.failures = failures
    }

    public var description: String {
        failures.map { "\($0.host.name): \($0.error)" }.joined(separator: "\n")
    }

    /// What the program exits with: a refused key is worth more attention than a host that is down.
    public var exitStatus: ExitStatus {
        let statuses = failures.map(\.exitStatus)
        return [.interrupted, .loginRefused, .locked, .unreachable].first(where: statuses.contains) ?? .stepFailed
    }
}
