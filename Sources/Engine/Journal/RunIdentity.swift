import FoundationEssentials

/// Which run it is that changes hosts, and whose.
public struct RunIdentity: Hashable, Sendable {
    /// The time of its begin in UTC and some digits by chance, so that names sort by time: `20261122T090635.120Z-4f1c`.
    /// One second may see several runs.
    public let id: String
    /// Who runs it, and where: `ann@admin`.
    public let person: String
    /// What is run: `deploy-cluster`.
    public let command: String

    public init(id: String, person: String, command: String) {
        self.id = id
        self.person = person
        self.command = command
    }

    /// That of a run of `command`.
    ///
    /// - Parameter begin: when it begins.
    static func new(of command: String, at begin: Date = .now) -> RunIdentity {
        let time = begin.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).filter {
            !"-:".contains($0)
        }
        let process = ProcessInfo.processInfo
        return RunIdentity(
            id: "\(time)-\(Nonce.make().prefix(4))", person: "\(process.userName)@\(process.hostName)", command: command
        )
    }
}
