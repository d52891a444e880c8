import Drover

/// What there is of backups: whether the log gets into the archive, and how old the newest backup is.
public struct BackupStatus: Encodable, Sendable {
    /// The last segment that was archived; nil when none was, or when the leader does not tell.
    public let archived: String?
    /// How many attempts to archive have failed since the statistics began; nil when the leader does not tell.
    public let failures: Int?
    public let isArchiving: Bool
    /// The newest backup; nil when there is none.
    public let newest: String?
    /// Seconds since the newest backup was complete.
    public let age: Int?
    public let count: Int
    /// What is not as it should be, each as a sentence.
    let findings: [String]

    enum CodingKeys: CodingKey {
        case archived, failures, isArchiving, newest, age, count
    }

    /// A week, the interval of the rarest customary backups, and a day.
    private static let oldest = 8 * 86_400

    /// - Parameters:
    ///   - leader: who leads, and what its archiver says; nil when nobody leads.
    ///   - told: what the repository says; nil when nobody answers who could ask it.
    init(leader: (name: String, archiver: ArchiverStatus.Archiver?)?, told: PgBackRestInfo.Answer?) {
        let archiver = leader?.archiver
        archived = archiver?.archived?.wal
        failures = archiver?.failures
        isArchiving = archiver.map { $0.isOn && !$0.isFailing } ?? false
        newest = told?.newest?.label
        age = told.flatMap { told in told.newest.map { told.now - $0.timestamp.stop } }
        count = told?.stanza?.backup.count ?? 0
        var findings: [String] = []
        if let leader, let archiver {
            if !archiver.isOn {
                findings.append("\(leader.name) does not archive its log: archive_mode waits for a restart")
            } else if archiver.isFailing {
                findings.append("\(leader.name) fails to archive \(archiver.failed?.wal ?? "its log")")
            }
        }
        if let stanza = told?.stanza {
            if stanza.status.code != 0 {
                findings.append("the repository of the backups says: \(stanza.status.message)")
            }
        } else {
            findings.append("the repository of the backups does not answer")
        }
        if told?.newest?.error == true { findings.append("the newest backup has pages with wrong checksums") }
        if let age, age > BackupStatus.oldest {
            findings.append("the newest backup is \(age / 86_400) days old")
        }
        self.findings = findings
    }
}
