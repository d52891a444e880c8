import Engine

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
    /// What is not as it should be.
    let findings: [Finding]

    enum CodingKeys: CodingKey {
        case archived, failures, isArchiving, newest, age, count
    }

    /// A week, the interval of the rarest customary backups, and a day.
    private static let oldest = 8 * 86_400

    /// - Parameters:
    ///   - leader: who leads, and what its archiver says; nil when nobody leads.
    ///   - told: what the repository says; nil when nobody answers who could ask it.
    ///   - timers: what those of the backups begin with.
    init(
        leader: (name: String, archiver: ArchiverStatus.Archiver?)?, told: PgBackRestInfo.Answer?,
        timers: String = BackupScript.timer
    ) {
        let archiver = leader?.archiver
        archived = archiver?.archived?.wal
        failures = archiver?.failures
        isArchiving = archiver.map { $0.isOn && !$0.isLeftOff && !$0.isFailing } ?? false
        newest = told?.newest?.label
        age = told.flatMap { told in told.newest.map { told.now - $0.timestamp.stop } }
        count = told?.stanza?.backup.count ?? 0
        var findings: [Finding] = []
        func find(_ name: Finding.Name, _ severity: Finding.Severity, _ text: String, _ remedy: String) {
            findings.append(Finding(name, severity, text, remedy))
        }
        if let leader, let archiver {
            if !archiver.isOn {
                find(
                    .archivingDisabled, .warning,
                    "\(leader.name) does not archive its log: archive_mode waits for a restart",
                    "restart the members when that suits, then apply deploy-cluster")
            } else if archiver.isFailing {
                find(
                    .archivingFails, .critical, "\(leader.name) fails to archive \(archiver.failed?.wal ?? "its log")",
                    "look at the log of PostgreSQL there: the log is kept until the disk is full")
            }
        }
        if let stanza = told?.stanza {
            if stanza.status.code != 0 {
                find(
                    .repository, .warning, "the repository of the backups says: \(stanza.message)",
                    stanza.complaint?.remedy ?? "`drover apply deploy-cluster` makes what is missing")
            }
        } else {
            find(
                .repository, .warning, "the repository of the backups does not answer",
                "look at its host, or at the way to its store")
        }
        if told?.newest?.error == true {
            find(
                .backupDamaged, .critical, "the newest backup has pages with wrong checksums",
                "look for a failing disk on the member that it was made of, and keep the older backups")
        }
        if let age, age > BackupStatus.oldest {
            find(
                .backupOld, .warning, "the newest backup is \(age / 86_400) days old",
                "look at the timers of the backups: `systemctl list-timers '\(timers)*'`")
        }
        self.findings = findings
    }
}
