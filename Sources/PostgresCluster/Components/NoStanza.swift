public import Drover
public import Inventory
import Secrets

/// Ensures that the repository has neither backups nor log of a cluster.
///
/// pgBackRest deletes a stanza only after `stop`, which ends what is still at work, and forgets that by `start`: a stanza of
/// this name could not be made again otherwise. `--force` spares the question whether the server runs; that was seen to.
struct NoStanza: Resource {
    let info: PgBackRestInfo

    var name: String { "no stanza \(info.stanza)" }

    var questions: [any Fact] { [info] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let stanza = try facts[info].stanza, stanza.hasRemains else { return [] }
        let count = stanza.backup.count
        let oldest = stanza.backup.first.map { ", the oldest of them \($0.label)" } ?? ""
        return [
            Change(
                "delete the archive and \(count) \(count == 1 ? "backup" : "backups") of \(info.stanza) for ever\(oldest)",
                script: MaskedText(
                    """
                    \(info.script("--force", "stop"))
                    status=0
                    { \(info.script("--log-level-console=info", "--force", "stanza-delete"))
                    } || status=$?
                    \(info.script("start"))
                    exit $status
                    """), isDisturbing: true)
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
        if let info { NoStanza(info: info) }
    }

    /// Says that backups stay, if there are any.
    @ResourceBuilder
    public var keptStanza: [any Resource] {
        if let stanza = backupSightings.told?.stanza, stanza.hasRemains {
            Remark(
                "the backups of \(stanza.name) stay"
                    + (configuration.walg.map { " at \($0.place)" } ?? "; --with-backups deletes them"))
        }
    }
}
