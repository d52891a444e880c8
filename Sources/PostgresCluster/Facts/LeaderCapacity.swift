import Engine
import Secrets

/// What the leader has to offer to a further replica, and what it asks of it.
struct LeaderCapacity: Fact {
    struct Answer: Hashable, Sendable {
        /// `max_wal_senders`; 0 when the server does not answer.
        var senderLimit = 0
        /// `max_replication_slots`.
        var slotLimit = 0
        /// The members that stream from it, by the name that Patroni gives their connections.
        var streaming: Set<String> = []
        /// How many connections send the log, to whomever.
        var senders = 0
        /// The names of all replication slots.
        var slots: Set<String> = []
        /// Bytes of all databases and of the log.
        var size = 0
        /// `15.14`.
        var version = ""
        /// The collations of its databases that come from the C library.
        var locales: Set<String> = []
    }

    let server: PostgresCatalog

    static func script(for questions: [LeaderCapacity]) -> ShellText {
        questions.map { question -> ShellText in
            "echo question\n{ \(question.server.script(running: sql))} 2>/dev/null"
        }.joined(separator: "\n")
    }

    private static let sql: SQLText = """
        SELECT 'limits', current_setting('max_wal_senders'), current_setting('max_replication_slots');
        SELECT 'version', split_part(current_setting('server_version'), ' ', 1);
        SELECT 'size', (SELECT sum(pg_database_size(oid)) FROM pg_database) + (SELECT sum(size) FROM pg_ls_waldir());
        SELECT 'sender', state, application_name FROM pg_stat_replication;
        SELECT 'slot', slot_name FROM pg_replication_slots;
        SELECT DISTINCT 'locale', datcollate FROM pg_database WHERE datlocprovider = 'c';
        """

    static func answers(to questions: [LeaderCapacity], from output: String) throws -> [LeaderCapacity: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            let fields = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            let last = answers.count - 1
            switch (fields[0], fields.count) {
            case ("limits", 3) where last >= 0:
                answers[last].senderLimit = Int(fields[1]) ?? 0
                answers[last].slotLimit = Int(fields[2]) ?? 0
            case ("version", 2) where last >= 0: answers[last].version = fields[1]
            case ("size", 2) where last >= 0: answers[last].size = Int(fields[1]) ?? 0
            case ("sender", 3) where last >= 0:
                answers[last].senders += 1
                if fields[1] == "streaming" { answers[last].streaming.insert(fields[2]) }
            case ("slot", 2) where last >= 0: answers[last].slots.insert(fields[1])
            case ("locale", 2) where last >= 0: answers[last].locales.insert(fields[1])
            default: throw UnreadableAnswer(LeaderCapacity.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(LeaderCapacity.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
