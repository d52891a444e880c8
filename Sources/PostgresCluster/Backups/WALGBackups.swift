import Engine
import FoundationEssentials
import Secrets
import SystemResources

/// Which backups WAL-G has, told in the words of ``PgBackRestInfo``: the archive of a cluster is what pgBackRest calls a
/// stanza, and a delta of the newest full backup a differential one.
struct WALGBackups: Fact {
    typealias Answer = PgBackRestInfo.Answer

    /// What the archive is called where people read of it: the name of the cluster.
    let archive: String
    let program: String
    /// The settings by which it is asked: those that stand on the host may be of a former cluster, or none.
    let settings: MaskedText

    /// A store that cannot be reached is tried again for minutes; nobody waits so long for an answer.
    private static let patience = "20"

    /// An archive without backups is told by no word at all, and success (WAL-G 3.0, issue 2094).
    static func script(for questions: [WALGBackups]) -> ShellText {
        questions.map { question -> ShellText in
            let ask = ShellText.words([
                "runuser", "-u", "postgres", "--", "timeout", patience, question.program, "--config",
            ])
            let list: ShellText = "backup-list --json --detail 2>/dev/null"
            return """
                (
                cd /
                umask 077
                file=$(mktemp /run/drover-wal-g.XXXXXX.json)
                trap 'rm -f -- "$file"' EXIT
                trap 'exit 143' HUP INT TERM
                base64 -d >"$file" \(base64: question.settings)
                chown postgres "$file" 2>/dev/null
                printf '%s ' "$(date +%s)"
                if list=$(\(ask) "$file" \(list)); then printf 'told '; else printf 'mute '; fi
                printf '%s\\n' "$list" | tr -d '\\n'
                echo
                )
                """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [WALGBackups], from output: String) throws -> [WALGBackups: Answer] {
        let lines = output.linesOfText
        guard lines.count == questions.count else { throw UnreadableAnswer(WALGBackups.self, output) }
        return try Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, line in
                let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3, let now = Int(parts[0]), ["told", "mute"].contains(parts[1]) else {
                    throw UnreadableAnswer(WALGBackups.self, line)
                }
                guard parts[1] == "told", let list = WALGBackups.list(parts[2]) else {
                    return (question, Answer(stanza: nil, now: now))
                }
                return (question, Answer(stanza: .init(list, called: question.archive), now: now))
            })
    }

    /// Backups come and go, and the clock goes on; a plan rests on less.
    static func essence(of answer: Answer) -> String { PgBackRestInfo.essence(of: answer) }

    /// Nil when it is no list of backups.
    private static func list(_ text: Substring) -> [Backup]? {
        if text.isEmpty || text == "null" { return [] }
        return try? JSONDecoder().decode([Backup].self, from: Data(text.utf8))
    }

    /// What `wal-g backup-list --json --detail` tells of one backup (WAL-G 3.0).
    struct Backup: Decodable {
        let name: String
        /// The segment with which it begins.
        let segment: String
        let start: String
        let finish: String
        let startPosition: UInt64?
        let finishPosition: UInt64?
        /// `150013` for PostgreSQL 15.13.
        let version: Int?
        let systemIdentifier: UInt64?
        let size: Int?
        let stored: Int?

        enum CodingKeys: String, CodingKey {
            case name = "backup_name", segment = "wal_file_name", start = "start_time", finish = "finish_time"
            case startPosition = "start_lsn", finishPosition = "finish_lsn", version = "pg_version"
            case systemIdentifier = "system_identifier", size = "uncompressed_size", stored = "compressed_size"
        }

        /// Of what it holds the changes: the segment with which that begins; nil for a full one.
        var origin: Substring? { name.firstMatch(of: /_D_([0-9A-F]{24})$/)?.output.1 }
    }
}

extension PgBackRestInfo.Stanza {
    init(_ list: [WALGBackups.Backup], called name: String) {
        let backups = list.compactMap { PgBackRestInfo.Backup($0, among: list) }
            .sorted { $0.timestamp.stop < $1.timestamp.stop }
        let newest = list.first { $0.name == backups.last?.label }
        let database = newest.flatMap { newest in
            newest.systemIdentifier.map {
                Database(systemIdentifier: $0, version: newest.version.map { "\($0 / 10_000)" })
            }
        }
        self.init(
            name: name, db: database.map { [$0] } ?? [], backup: backups,
            status: backups.isEmpty ? .init(code: 2, message: "no backups") : .init(code: 0, message: "ok"))
    }
}

extension PgBackRestInfo.Backup {
    /// Nil when its times cannot be read.
    fileprivate init?(_ backup: WALGBackups.Backup, among others: [WALGBackups.Backup]) {
        guard let start = try? Moment(WALGBackups.time(backup.start)),
            let finish = try? Moment(WALGBackups.time(backup.finish))
        else { return nil }
        let type: BackupKind =
            switch backup.origin {
            case nil: .full
            case let origin?: others.contains { $0.name == "base_\(origin)" } ? .differential : .incremental
            }
        func position(_ number: UInt64?) -> String? { number.map { LogPosition(bytes: $0).description } }
        self.init(
            label: backup.name, type: type,
            timestamp: .init(start: start.microseconds / 1_000_000, stop: finish.microseconds / 1_000_000),
            archive: .init(start: backup.segment, stop: nil),
            lsn: .init(start: position(backup.startPosition), stop: position(backup.finishPosition)),
            info: .init(size: backup.size ?? 0, repository: .init(delta: backup.stored ?? 0)), error: nil)
    }
}

extension WALGBackups {
    /// A time without what is less than a microsecond, which Go may write.
    fileprivate static func time(_ text: String) -> String {
        text.replacing(/(\.[0-9]{6})[0-9]+/) { $0.output.1 }
    }
}
