import Engine
import Secrets

/// How far the log of a member that leads has come. The answer is nil of one that does not lead.
struct LeaderLog: Fact {
    struct End: Hashable, Sendable {
        var now: Moment
        var position: LogPosition
        var timeline: Int
        /// The number that the next transaction gets.
        var nextTransaction: UInt64
        /// Bytes of a segment of the log.
        var segmentSize: UInt64 = 16_777_216
    }

    let catalog: PostgresCatalog

    private static let sql: SQLText = """
        SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_current_wal_insert_lsn(),
            pg_walfile_name(pg_current_wal_insert_lsn()), pg_snapshot_xmax(pg_current_snapshot()),
            pg_size_bytes(current_setting('wal_segment_size'))
            WHERE NOT pg_is_in_recovery();
        """

    static func script(for questions: [LeaderLog]) -> ShellText {
        questions.map { question -> ShellText in
            "echo question\n{ \(question.catalog.script(running: sql))} 2>/dev/null"
        }.joined(separator: "\n")
    }

    static func answers(to questions: [LeaderLog], from output: String) throws -> [LeaderLog: End?] {
        var answers: [End?] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(nil)
                continue
            }
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 5, let last = answers.indices.last, let now = Int(fields[0]),
                let position = LogPosition(fields[1]), let timeline = Int(fields[2].prefix(8), radix: 16),
                let next = UInt64(fields[3]), let size = UInt64(fields[4])
            else { throw UnreadableAnswer(LeaderLog.self, line) }
            answers[last] = End(
                now: Moment(microseconds: now), position: position, timeline: timeline, nextTransaction: next,
                segmentSize: size)
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(LeaderLog.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// The log always goes on.
    static func essence(of answer: End?) -> String { answer.map { "\($0.timeline)" } ?? "" }
}
