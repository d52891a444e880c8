public import Engine
import Inventory
import SystemResources

extension Cluster {
    /// How Patroni makes the database of a new cluster; nil when `initdb` does.
    var beginning: PatroniConfiguration.Beginning? {
        guard let source = configuration.source else { return walgBeginning }
        let data = configuration.postgres.dataDirectory
        let words = ["/usr/bin/pgbackrest", "--stanza=\(source.stanza)", "--pg1-path=\(data)"] + source.options
        // It is quoted twice more; most words need no quotes.
        let restore = (words + ["--delta", "restore"]).map { word -> ShellText in
            word.wholeMatch(of: /[A-Za-z0-9_.\/:+=-]+/) == nil
                ? "\(quoting: word)"
                : "\(trusted: word, because: "none of these characters means something to the shell")"
        }.joined(separator: " ")
        // What ALTER SYSTEM had set there would have this cluster write into the archive of the other one.
        let script: ShellText = """
            \(restore) && sed -i '/^archive_/d' \(quoting: data + "/postgresql.auto.conf") && rm -f \
            \(quoting: data + "/patroni.dynamic.json")
            """
        let command: ShellText = "/bin/sh -c \(quoting: script)"
        return .init(method: "pgbackrest", command: command.reveal())
    }

    /// Asked by the configuration that the host is to have: who has pgBackRest already can tell before anything is touched.
    private func sourceInfo(on host: Host) throws -> PgBackRestInfo? {
        guard let source = configuration.source, let backups = configuration.backups else { return nil }
        var info = PgBackRestInfo(source.stanza, as: backups.user)
        info.configuration = try templates.render(pgbackrestConfiguration(on: host, backups))
        return info
    }

    private var witnesses: [Node] { BackupQuestions(configuration: configuration).witnesses }

    /// Looks for the backup with which a new cluster begins: before anything is touched where pgBackRest is there already, and
    /// otherwise as soon as it is.
    public func sourceExamination() -> Play {
        let source = state == .new ? configuration.source : nil
        let looks = source != nil || (state == .new && configuration.walg != nil)
        return Play(
            configuration.walg == nil ? "Look at the backup to begin with" : "Look at the archive",
            on: looks ? witnesses.map(\.host) : [], tags: [Play.always]
        ) { host in
            if looks { walgExamination }
            if let source, let info = try sourceInfo(on: host) {
                Examination(
                    name: "backup to begin with", questions: [info],
                    remarks: [
                        "the cluster begins with the backups of '\(source.stanza)', and has its system identifier"
                    ])
            }
        }
    }

    /// Lets a new cluster begin only with a backup that there is, and that leads to the target.
    ///
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnfitSource() throws {
        let hindrances = state == .new ? walgSourceObstacles : []
        if !hindrances.isEmpty {
            throw Refusal(
                "the cluster '\(configuration.name)' cannot begin with the backup of another one", remedies: hindrances)
        }
        guard state == .new, let source = configuration.source else { return }
        let answers = try witnesses.compactMap { node in
            try sourceInfo(on: node.host).flatMap { observed[node.host].ifKnown($0) }
        }
        guard let answer = answers.first(where: { $0.exists }) ?? answers.first(where: { $0.stanza != nil }) else {
            return
        }
        let obstacles = source.obstacles(given: answer, version: configuration.postgres.version)
        if obstacles.isEmpty { return }
        throw Refusal(
            "the cluster '\(configuration.name)' cannot begin with the backups of '\(source.stanza)'",
            remedies: obstacles)
    }
}

extension BackupSource {
    /// What keeps a cluster from beginning with it.
    func obstacles(given answer: PgBackRestInfo.Answer, version: Int) -> [String] {
        guard let stanza = answer.stanza, answer.exists else {
            return ["the repository has no stanza '\(self.stanza)': correct --stanza, or the repository"]
        }
        guard let oldest = stanza.backup.first, let newest = stanza.backup.last else {
            return ["the stanza '\(self.stanza)' has no backup: make one with `drover backup now` there"]
        }
        var found: [String] = []
        if let theirs = stanza.db.last?.version, theirs != "\(version)" {
            found.append(
                "its database is of PostgreSQL \(theirs), and this cluster of \(version): they must be the same")
        }
        if let label, !stanza.backup.contains(where: { $0.label == label }) {
            found.append("there is no backup \(label): the newest is \(newest.label), the oldest \(oldest.label)")
        }
        if let moment {
            let isCovered = stanza.backup.contains {
                Moment(seconds: $0.timestamp.stop) < moment && (label == nil || label == $0.label)
            }
            if !isCovered {
                found.append("no backup ends before the target: the oldest, \(oldest.label), is later")
            }
            if Moment(seconds: answer.now) < moment { found.append("the target lies in the future") }
        }
        return found
    }
}
