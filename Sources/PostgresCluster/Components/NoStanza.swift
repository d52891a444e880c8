public import Engine
public import Inventory
import Secrets

/// Ensures that the repository has neither backups nor log of a cluster.
///
/// pgBackRest deletes a stanza only after `stop`, which ends what is still at work, and forgets that by `start`: a stanza of
/// this name could not be made again otherwise. `--force` spares the question whether the server runs; that was seen to.
struct NoStanza: Resource {
    let info: PgBackRestInfo
    /// Where what an earlier removal has set aside is looked for; nil where nothing can be set aside.
    var folders: StanzaFolders?
    /// The system identifier of the cluster, or of the backups that are deleted: those of others stay.
    var system: String?

    var name: String { "no stanza \(info.stanza)" }

    var questions: [any Fact] { [info as any Fact] + (folders.map { [$0] } ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try deletion(given: facts) + deletionOfAside(given: facts)
    }

    private func aside(_ facts: Facts) throws -> [StanzaFolders.Aside] { try folders.map { try facts[$0].aside } ?? [] }

    /// What tells whose they are goes last, for a run that died to be ended.
    private func deletionOfAside(given facts: Facts) throws -> [Change] {
        guard let folders, let system else { return [] }
        return try aside(facts).filter { $0.system == system }.map { aside in
            let places = ShellText.words(
                StanzaFolders.Part.allCases.map { "\(folders.path)/\($0.rawValue)/\(aside.name)" })
            let user = ShellText.words(["runuser", "-u", folders.user, "--"])
            return Change(
                "delete the archive and the backups in \(aside.name) for ever", .remove,
                script: """
                    cd /
                    \(user) find \(places) -mindepth 1 ! -name '*.info' ! -name '*.info.copy' -delete
                    \(user) rm -rf -- \(places)
                    """, isDisturbing: true)
        }
    }

    func notices(given facts: Facts) throws -> [String] {
        try aside(facts).filter { $0.system == nil || $0.system != system }.map {
            "the backups in \($0.name) stay: \($0.system.map { "they are of the database system \($0)" } ?? "pgBackRest cannot tell whose they are")"
        }
    }

    private func deletion(given facts: Facts) throws -> [Change] {
        guard let stanza = try facts[info].stanza, stanza.hasRemains else { return [] }
        let count = stanza.backup.count
        let oldest = stanza.backup.first.map { ", the oldest of them \($0.label)" } ?? ""
        return [
            Change(
                "delete the archive and \(count) \(count == 1 ? "backup" : "backups") of \(info.stanza) for ever\(oldest)",
                .remove,
                script: """
                    \(info.script("--force", "stop"))
                    status=0
                    { \(info.script("--log-level-console=info", "--force", "stanza-delete"))
                    } || status=$?
                    \(info.script("start"))
                    exit $status
                    """, isDisturbing: true)
        ]
    }

    /// How many backups there are is no matter.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }
}

extension Cluster {
    /// Who can delete the backups: the host that has the repository, or a member that reaches it by itself.
    public var backupSpeaker: [Host] {
        guard configuration.hasBackups else { return [] }
        return [configuration.backups?.host?.host ?? configuration.members[0].host]
    }

    /// A repository without backups of the cluster.
    @ResourceBuilder
    public var withoutStanza: [any Resource] {
        if let info {
            NoStanza(
                info: info, folders: StanzaFolders(of: configuration),
                system: removedSystem ?? backupRemains.identity)
        }
    }

    /// A repository in which the backups of the cluster stand in nobody's way.
    @ResourceBuilder
    public var keptStanza: [any Resource] {
        if let info {
            StanzaAside(info: info, folders: StanzaFolders(of: configuration), cluster: removedSystem)
        }
        if let walg = configuration.walg, let stanza = backupSightings.told?.stanza, stanza.hasRemains {
            Remark("the backups of \(stanza.name) stay at \(walg.place)")
        }
    }
}
