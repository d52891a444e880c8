import Engine
import Secrets

/// Ensures that the backups and the archive of a cluster that goes do not stand in the way of a new one of its name: in a
/// repository in directories they get the name that its data gets, `*.removed-<UTC time>`.
///
/// No file within tells the name of its stanza: under the new one, pgBackRest (2.45) lists, verifies and restores them,
/// encrypted or not. Two folders cannot be renamed at once, so what a run that died has begun is recognized and ended.
struct StanzaAside: Resource {
    let info: PgBackRestInfo
    /// Nil when they are in a store, where nothing can be renamed.
    let folders: StanzaFolders?
    /// The system identifier of the cluster; nil when nothing is left of it.
    let cluster: String?

    var name: String { "backups of \(info.stanza)" }

    var questions: [any Fact] { [info as any Fact] + (folders.map { [$0] } ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let folders else { return [] }
        let found = try facts[folders]
        guard !found.parts.isEmpty, try reasonToStay(facts) == nil else { return [] }
        let count = try facts[info].stanza?.backup.count ?? 0
        let what = found.begun == nil ? "the archive and \(count) \(count == 1 ? "backup" : "backups")" : "what is left"
        return [
            Change(
                "set \(what) of \(info.stanza) aside as \(found.begun?.name ?? "\(info.stanza).removed-<UTC time>")",
                .remove,
                script: renaming(found, in: folders), isDisturbing: true)
        ]
    }

    private func renaming(_ found: StanzaFolders.Answer, in folders: StanzaFolders) -> ShellText {
        let aside: ShellText =
            found.begun.map { "name=\(quoting: $0.name)" }
            ?? "name=\(quoting: folders.stanza).removed-$(date -u +%Y%m%dT%H%M%SZ)"
        let moves = StanzaFolders.Part.allCases.filter(found.parts.contains).map { part -> ShellText in
            let user = ShellText.words(["runuser", "-u", folders.user, "--"])
            return
                "\(user) mv -T -- \(quoting: "\(part.rawValue)/\(folders.stanza)") \(quoting: part.rawValue)/\"$name\""
        }
        let told = Self.advice(for: "$name", of: folders.stanza)
        let opening: [ShellText] = [.say, aside, "cd \(quoting: folders.path)"]
        let advice: ShellText = "\(trusted: told, because: "a stanza has a name of plain characters")"
        return (opening + moves + ["say \"\(advice)\""]).joined(separator: "\n")
    }

    /// How one gets at what is in them.
    private static func advice(for name: String, of stanza: String) -> String {
        "the backups of \(stanza) are kept as the stanza \(name); for a cluster that begins with them write into its inventory "
            + "patroni_cluster_bootstrap_method: pgbackrest and pgbackrest_patroni_cluster_restore_command: pgbackrest "
            + "--stanza=\(name) restore"
    }

    func notices(given facts: Facts) throws -> [String] {
        let aside = try folders.map { try facts[$0].aside } ?? []
        var notices = aside.filter(\.isWhole).map { Self.advice(for: $0.name, of: info.stanza) }
        if let reason = try reasonToStay(facts) {
            notices.append("the backups of \(info.stanza) stay under this name, \(reason); --with-backups deletes them")
        }
        return notices
    }

    /// Why what is there cannot get another name; nil when it can, or nothing is there.
    private func reasonToStay(_ facts: Facts) throws -> String? {
        let stanza = try facts[info].stanza
        let others = "so a new cluster of this name wants another pgbackrest_stanza"
        guard let folders else { return stanza?.hasRemains == true ? "for a store renames nothing, \(others)" : nil }
        let found = try facts[folders]
        if found.parts.isEmpty || found.begun != nil { return nil }
        guard let stanza, let theirs = stanza.db.last?.systemIdentifier else {
            return "for pgBackRest cannot tell whose they are, \(others)"
        }
        guard let cluster else { return "for nothing is left that tells whether they are this cluster's, \(others)" }
        return cluster == "\(theirs)" ? nil : "for they are of another database system, \(theirs)"
    }

    /// How many backups there are is no matter.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }
}
