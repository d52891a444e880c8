import Engine
import Inventory

/// What of the backups decides the plays, and the reading of the answers.
struct BackupQuestions {
    let configuration: ClusterConfiguration

    func questions(of host: Host) -> [any Fact] {
        guard configuration.hasBackups else { return [] }
        var questions: [any Fact] = []
        if configuration.members.contains(where: { $0.name == host.name }) { questions.append(archiver) }
        let isPeer = configuration.backupHosts.contains { $0.name == host.name }
        if configuration.backups?.host != nil, isPeer { questions.append(BackupIdentity()) }
        guard witnesses.contains(where: { $0.name == host.name }) else { return questions }
        return questions + witnessed
    }

    func sightings(given observed: Observations) -> BackupSightings {
        var sightings = BackupSightings()
        for node in configuration.backupHosts {
            sightings.identities[node.name] = observed[node.host].ifKnown(BackupIdentity())
            if let answer = observed[node.host].ifKnown(archiver) { sightings.archivers[node.name] = answer }
        }
        let directory = ClusterQuestions(configuration: configuration).directory
        for node in configuration.members {
            guard case .initialised(let system) = observed[node.host].ifKnown(directory) else { continue }
            sightings.systemIdentifier = system
        }
        sightings.told = told(given: observed)
        return sightings
    }

    /// Who can tell of the backups: the host that has the repository, or any member.
    var witnesses: [Node] { configuration.backups?.host.map { [$0] } ?? configuration.backupHosts }

    var info: PgBackRestInfo? { configuration.backups.map { PgBackRestInfo($0.stanza, as: $0.user) } }

    var walgBackups: WALGBackups? {
        configuration.walg.map { configuration.backups(of: $0.options) }
    }

    /// What a witness is asked.
    var witnessed: [any Fact] { (info.map { [$0] } ?? []) + (walgBackups.map { [$0] } ?? []) }

    /// The word of the first witness that knows the stanza, or else of any; nil when none was asked.
    func told(given observed: Observations) -> PgBackRestInfo.Answer? {
        let answers = witnesses.compactMap { node in
            info.flatMap { observed[node.host].ifKnown($0) } ?? walgBackups.flatMap { observed[node.host].ifKnown($0) }
        }
        return answers.first { $0.exists } ?? answers.first { $0.stanza != nil } ?? answers.first
    }

    private var archiver: ArchiverStatus {
        ArchiverStatus(catalog: PostgresCatalog(of: configuration, databases: []))
    }
}

/// What was seen that the backups depend on, by name of the host.
struct BackupSightings: Sendable {
    var identities: [String: BackupIdentity.Answer] = [:]
    var archivers: [String: ArchiverStatus.Archiver] = [:]
    /// The system identifier of the cluster, nil as long as it has no database.
    var systemIdentifier: String?
    /// What the repository says; nil when it was not asked yet.
    var told: PgBackRestInfo.Answer?
}
