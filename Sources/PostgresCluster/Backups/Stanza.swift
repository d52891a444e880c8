import Engine
import Secrets

/// Ensures that the repository of the backups has the stanza of the cluster.
struct Stanza: Resource {
    let info: PgBackRestInfo

    var name: String { "stanza \(info.stanza)" }

    var questions: [any Fact] { [info] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[info].exists { return [] }
        return [
            Change("create the stanza \(info.stanza)", .create, script: script)
        ]
    }

    /// The lock that it wants is also held by who archives a segment of the log at that moment (`lock-remote-required` of
    /// archive-push in pgBackRest's config.yaml): pgBackRest ends with the status 50 then, and waits for nobody.
    private var script: ShellText {
        """
        until=$(( $(date +%s) + 60 ))
        while :; do
            status=0
            \(info.script("--log-level-console=info", "stanza-create")) || status=$?
            [ $status = 50 ] && [ "$(date +%s)" -lt "$until" ] || exit $status
            sleep 0.2
        done
        """
    }
}

/// Ensures that there is a backup, after a check that the log gets from the leader into the archive.
struct FirstBackup<Question: Fact>: Resource where Question.Answer == PgBackRestInfo.Answer {
    let archive: String
    let question: Question
    /// The shell text that checks the archive.
    let check: ShellText
    /// The shell text that makes a full backup.
    let backup: ShellText
    /// Whether the leader archives; nil as long as nobody leads.
    let isArchiving: Bool?

    var name: String { "first backup of \(archive)" }

    var questions: [any Fact] { [question] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try isNeeded(facts), isArchiving != false else { return [] }
        return [
            Change("check the archive", script: check),
            Change("make the first full backup", .create, script: backup),
        ]
    }

    func notices(given facts: Facts) throws -> [String] {
        guard try isNeeded(facts), isArchiving == false else { return [] }
        return [
            "PostgreSQL archives only after a restart of its members (patronictl restart --pending); apply this again "
                + "then, for the first backup"
        ]
    }

    private func isNeeded(_ facts: Facts) throws -> Bool { try facts[question].newest == nil }
}

extension FirstBackup<PgBackRestInfo> {
    init(info: PgBackRestInfo, isArchiving: Bool?) {
        self.init(
            archive: info.stanza, question: info, check: info.script("--log-level-console=info", "check"),
            backup: BackupScript.order(.full, as: info.user), isArchiving: isArchiving)
    }
}

extension PgBackRestInfo {
    /// The shell text that runs pgBackRest for the stanza, as the user whose repository it is.
    func script(_ words: String...) -> ShellText {
        "cd /\n\(words: ["runuser", "-u", user, "--", "pgbackrest", "--stanza=\(stanza)"] + words)"
    }
}
