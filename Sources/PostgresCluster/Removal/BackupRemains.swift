import Diagnostics
import Engine
import SystemResources

/// What was found of the backups that are to go with their cluster.
struct BackupRemains {
    /// What the repository says of the stanza; nil when it was not asked, or cannot tell.
    var stanza: PgBackRestInfo.Stanza?
    /// Whether pgBackRest is set up where it was asked.
    var isConfigured = false
    /// What earlier removals have set aside.
    var aside: [StanzaFolders.Aside] = []

    /// The database system whose backups they are, by its identifier; nil without any.
    var identity: String? { stanzaIdentity ?? aside.last { $0.system != nil }?.system }

    private var stanzaIdentity: String? {
        guard let stanza, stanza.hasRemains else { return nil }
        return stanza.db.last.map { "\($0.systemIdentifier)" }
    }

    /// Everything that forbids that they go.
    ///
    /// - Parameter cluster: the system identifier of the cluster; nil when nothing is left of that.
    func refusals(of cluster: String?) -> [Refusal] {
        if isConfigured, stanza?.isUnknown ?? true {
            return [
                Refusal(
                    "the repository of the backups does not answer, so nobody can tell whose they are",
                    remedies: [
                        "bring it back, and see `drover backup list`", "or keep the backups: without --with-backups",
                    ])
            ]
        }
        guard let stanza, let identity = stanzaIdentity, let cluster, identity != cluster else { return [] }
        return [
            Refusal(
                "the backups under the name '\(stanza.name)' are not of this cluster: its system identifier is \(cluster), "
                    + "theirs is \(identity)",
                remedies: ["correct pgbackrest_stanza, or keep the backups: without --with-backups"])
        ]
    }
}

extension PgBackRestInfo.Stanza {
    /// Whether pgBackRest could not find out what is there (`INFO_STANZA_STATUS_CODE_OTHER` of its `info.c`, 2.45).
    var isUnknown: Bool { status.code == 99 }

    /// Whether something is there, be it only parts: all but a missing directory (1).
    var hasRemains: Bool { !isUnknown && status.code != 1 }
}

extension ClusterModel {
    /// Checks that there are backups to be deleted, and that their cluster goes too.
    ///
    /// - Throws: `Diagnostic` when not.
    public func requireRemovableBackups() throws {
        if let walg = configuration.walg {
            throw Diagnostic(
                "--with-backups deletes backups of pgBackRest, and those of this cluster are WAL-G's",
                remedy:
                    "leave it out, and say `\(walg.command("delete everything --confirm"))` on a member, as postgres"
            )
        }
        if configuration.backups == nil {
            throw Diagnostic(
                "the inventory has no backups that --with-backups could delete",
                remedy: "leave it out, or set pgbackrest_install")
        }
        if !configuration.removal.postgres {
            throw Diagnostic(
                "--with-backups deletes the backups of a cluster that goes, and remove_postgres says that it stays",
                remedy: "leave one of them out")
        }
    }
}

extension Cluster {
    var backupRemains: BackupRemains {
        let isConfigured = backupSpeaker.contains { host in
            observed[host].ifKnown(FileStatus(PgBackRestConfiguration.path)) ?? nil != nil
        }
        let folders = StanzaFolders(of: configuration).flatMap { folders in
            backupSpeaker.first.flatMap { observed[$0].ifKnown(folders) }
        }
        return BackupRemains(
            stanza: backupSightings.told?.stanza, isConfigured: isConfigured, aside: folders?.aside ?? [])
    }
}
