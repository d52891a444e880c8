public import Engine
import Secrets

/// Whether a member archives its log, and what became of that. The answer is nil while the server does not answer.
public struct ArchiverStatus: Fact {
    /// The state of WAL archiving on a running server.
    public struct Archiver: Hashable, Sendable {
        /// Whether the server runs with `archive_mode`, which it takes only when it starts.
        public var isOn: Bool
        /// Whether it is told no command, so that it keeps the log for a later one.
        public var isLeftOff = false
        public var archived: Attempt?
        public var failed: Attempt?
        /// How many attempts have failed since the statistics began.
        public var failures: Int

        /// An attempt to archive a WAL segment.
        public struct Attempt: Hashable, Sendable {
            /// The name of the segment.
            public var wal: String
            /// Microseconds since 1970.
            public var time: Int
        }

        /// Whether the last attempt failed.
        var isFailing: Bool { (failed?.time ?? 0) > (archived?.time ?? 0) }
    }

    let catalog: PostgresCatalog

    public static func script(for questions: [ArchiverStatus]) -> ShellText {
        questions.map { question -> ShellText in
            let ask = question.catalog.script(running: sql)
            return "echo question\n{ \(ask)} 2>/dev/null"
        }.joined(separator: "\n")
    }

    private static let sql: SQLText = """
        SELECT current_setting('archive_mode') || CASE current_setting('archive_command') WHEN '' THEN ' left off' ELSE '' END,
            failed_count,
            last_archived_wal, (extract(epoch FROM last_archived_time) * 1000000)::bigint,
            last_failed_wal, (extract(epoch FROM last_failed_time) * 1000000)::bigint
            FROM pg_stat_archiver;
        """

    public static func answers(
        to questions: [ArchiverStatus], from output: String
    ) throws -> [ArchiverStatus: Archiver?] {
        var answers: [Archiver?] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(nil)
                continue
            }
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 6, let failures = Int(fields[1]), !answers.isEmpty else {
                throw UnreadableAnswer(ArchiverStatus.self, line)
            }
            func attempt(_ wal: Substring, _ time: Substring) -> Archiver.Attempt? {
                Int(time).map { .init(wal: String(wal), time: $0) }
            }
            answers[answers.count - 1] = Archiver(
                isOn: !fields[0].hasPrefix("off"), isLeftOff: fields[0].hasSuffix(" left off"),
                archived: attempt(fields[2], fields[3]),
                failed: attempt(fields[4], fields[5]), failures: failures)
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(ArchiverStatus.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// The counters always go on.
    public static func essence(of answer: Archiver?) -> String { answer.map { "\($0.isOn)" } ?? "" }
}
