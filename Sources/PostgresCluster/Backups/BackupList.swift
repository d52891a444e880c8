public import Engine
public import Inventory

/// The backups of a cluster, as the repository tells of them.
public struct BackupList: Encodable, Sendable {
    public let stanza: String
    /// From the oldest to the newest.
    public let backups: [PgBackRestInfo.Backup]
    /// What the repository says of itself: `ok`, `no valid backups` …
    public let message: String
    /// What the clock of the host said that was asked, in seconds since 1970.
    public let now: Int
}

extension BackupList {
    /// Asks the host that has the repository, or the members.
    ///
    /// - Throws: `Diagnostics` for a wrong inventory, `Refusal` when there are no backups to ask for, `HostFailures` when
    ///   no host answers.
    public static func observe(_ inventory: Inventory, settings: ConnectionSettings) async throws -> BackupList {
        let configuration = try ClusterConfiguration(inventory)
        try configuration.requireBackups()
        let questions = BackupQuestions(configuration: configuration)
        let answers = await Survey.ask(questions.witnesses.map(\.host), settings: settings) { _, _ in
            questions.witnessed
        }
        if let failures = HostFailures(allOf: answers) { throw failures }
        var observed = Observations()
        for case (let host, .success(let facts)) in answers { observed[host] = facts }
        guard let told = questions.told(given: observed), let stanza = told.stanza else {
            let ask = configuration.walg?.command("backup-list") ?? "pgbackrest info"
            throw Refusal(
                "the repository of '\(configuration.backups?.stanza ?? configuration.name)' does not answer",
                remedies: ["apply deploy-cluster, which sets it up, or say `\(ask)` there to learn more"])
        }
        try stanza.refuseUnlessKnown()
        return BackupList(
            stanza: stanza.name, backups: stanza.backup, message: stanza.message, now: told.now)
    }
}
