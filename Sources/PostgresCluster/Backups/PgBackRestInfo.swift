public import Engine
import FoundationEssentials
import Secrets
import SystemResources

/// What pgBackRest knows of a stanza: whether the repository has it, and which backups there are.
public struct PgBackRestInfo: Fact {
    /// What `pgbackrest info --output=json` tells of one stanza (pgBackRest 2.45).
    public struct Stanza: Codable, Hashable, Sendable {
        /// The status of a stanza or of a repository.
        public struct Status: Codable, Hashable, Sendable {
            /// 0 when all is well, 1 without such a stanza, 2 without a backup, 3 with a stanza in parts.
            public let code: Int
            public let message: String
        }

        /// A database system that the stanza is for, or was for before an upgrade.
        public struct Database: Codable, Hashable, Sendable {
            /// Its system identifier, as PostgreSQL makes it.
            public let systemIdentifier: UInt64
            /// The major version of PostgreSQL.
            public var version: String?

            enum CodingKeys: String, CodingKey {
                case systemIdentifier = "system-id", version
            }
        }

        public let name: String
        /// From the oldest to the present one.
        public let db: [Database]
        /// From the oldest to the newest.
        public let backup: [Backup]
        /// The segments that are archived, by database system.
        public var archive: [ArchiveRange]?

        /// The archived WAL segments of one database system.
        public struct ArchiveRange: Codable, Hashable, Sendable {
            /// The last segment by name, so of the last timeline; nil while there is none.
            public var max: String?
        }

        public let status: Status
        /// What the repository itself says, of which there is one.
        public var repo: [Repository]?

        /// A repository that holds the stanza.
        public struct Repository: Codable, Hashable, Sendable {
            public let status: Status
        }
    }

    /// A backup in the repository.
    public struct Backup: Codable, Hashable, Sendable {
        /// The WAL segments that a restore of the backup needs.
        public struct Archive: Codable, Hashable, Sendable {
            /// The first and the last WAL segment that a restore needs.
            public let start: String?
            public let stop: String?
        }

        /// The LSNs between which the backup was made.
        public struct Positions: Codable, Hashable, Sendable {
            /// Where in the log it begins and ends, as PostgreSQL writes that.
            public let start: String?
            public let stop: String?
        }

        /// The times between which the backup was made.
        public struct Moments: Codable, Hashable, Sendable {
            /// Seconds since 1970.
            public let start: Int
            public let stop: Int
        }

        /// The sizes of the backup.
        public struct Sizes: Codable, Hashable, Sendable {
            /// The size of the backup in the repository.
            public struct Repository: Codable, Hashable, Sendable {
                /// Bytes that this backup alone has added.
                public let delta: Int
            }

            /// Bytes of the database.
            public let size: Int
            public let repository: Repository
        }

        /// Such as `20261122-130000F`.
        public let label: String
        public let type: BackupKind
        public let timestamp: Moments
        public let archive: Archive
        public var lsn: Positions?
        public let info: Sizes
        /// Whether pages with wrong checksums were met.
        public let error: Bool?
    }

    /// The stanza, and the time at which the host was asked.
    public struct Answer: Hashable, Sendable {
        /// Nil when the program is not there, or cannot tell.
        public var stanza: Stanza?
        /// What the clock of the host said, in seconds since 1970.
        public var now: Int

        /// Whether the repository has the stanza.
        var exists: Bool { stanza.map { $0.status.code == 0 || $0.status.code == 2 } ?? false }
        var newest: Backup? { stanza?.backup.last }
    }

    public let stanza: String
    public let user: String
    /// The configuration by which it is asked, where it may not stand on the host yet; nil for that of the host.
    var configuration: MaskedText?

    public init(_ stanza: String, as user: String) {
        self.stanza = stanza
        self.user = user
    }

    /// A store that cannot be reached is tried again for minutes; nobody waits so long for an answer. It is tried so often
    /// that pgBackRest (2.45) says what is wrong after four times `--io-timeout`, and after eight when nobody answers.
    private static let patience = "30"
    private static let attempt = "--io-timeout=3"

    public static func script(for questions: [PgBackRestInfo]) -> ShellText {
        questions.map { question -> ShellText in
            let ask = ShellText.words([
                "runuser", "-u", question.user, "--", "timeout", patience, "pgbackrest", "--stanza=\(question.stanza)",
                "--output=json", attempt, "info",
            ])
            guard let configuration = question.configuration else {
                return "printf '%s ' \"$(date +%s)\"; \(ask) 2>/dev/null | tr -d '\\n'; echo"
            }
            return """
                (
                umask 077
                file=$(mktemp /run/drover-pgbackrest.XXXXXX)
                trap 'rm -f -- "$file"' EXIT
                trap 'exit 143' HUP INT TERM
                base64 -d >"$file" \(base64: configuration)
                chown \(quoting: question.user) "$file" 2>/dev/null
                printf '%s ' "$(date +%s)"
                \(ask) --config="$file" --log-level-file=off 2>/dev/null | tr -d '\\n'
                echo
                )
                """
        }.joined(separator: "\n")
    }

    public static func answers(to questions: [PgBackRestInfo], from output: String) throws -> [PgBackRestInfo: Answer] {
        let lines = output.linesOfText
        guard lines.count == questions.count else { throw UnreadableAnswer(PgBackRestInfo.self, output) }
        return try Dictionary(
            uniqueKeysWithValues: zip(questions, lines).map { question, line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard let now = parts.first.flatMap({ Int($0) }) else {
                    throw UnreadableAnswer(PgBackRestInfo.self, line)
                }
                guard parts.count == 2 else { return (question, Answer(stanza: nil, now: now)) }
                let stanzas = try? JSONDecoder().decode([Stanza].self, from: Data(parts[1].utf8))
                return (question, Answer(stanza: stanzas?.first { $0.name == question.stanza }, now: now))
            })
    }

    /// Backups come and go, and the clock goes on; a plan rests on less.
    public static func essence(of answer: Answer) -> String {
        "\(answer.exists) \(answer.stanza?.backup.isEmpty ?? true)"
    }
}
