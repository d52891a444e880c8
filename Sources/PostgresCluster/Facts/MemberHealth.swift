import Engine
import Secrets

/// What a member tells of its own health. One `psql` asks the server, one the pooler.
struct MemberHealth: Fact {
    struct Answer: Hashable, Sendable {
        /// Whether the server answers at all.
        var isRunning = false
        var isInRecovery = false
        /// Parameters by name, those of ``MemberHealth/parameters``.
        var settings: [String: String] = [:]
        var slots: [Slot] = []
        /// By database, how many transactions ago the oldest row was written that is not frozen; likewise for groups of
        /// transactions that hold a row together.
        var ages: [String: Age] = [:]
        /// How many pages with wrong checksums were seen.
        var checksumFailures = 0
        /// How many connections there are of clients.
        var connections = 0
        /// Transactions that have been open for long, each as `app in db`, with their age in seconds.
        var transactions: [String: Int] = [:]
        /// The rules that let somebody in from elsewhere without a password, by what they are for.
        var trust: Set<String> = []
        /// How much of its numbers a sequence has used, in percent.
        var sequences: [String: Int] = [:]
        /// Whether the pooler answers.
        var hasPooler = false
        /// The clients of the pooler that wait for a connection to the server.
        var waiting = Waiting()

        struct Waiting: Hashable, Sendable {
            var clients = 0
            /// For how long the one that came first does.
            var seconds = 0
        }

        struct Slot: Hashable, Sendable {
            var name: String
            var isActive: Bool
            /// Bytes of the log that are kept for it.
            var retained: Int
            /// `reserved`, `extended`, `unreserved`, `lost`.
            var state: String
        }

        struct Age: Hashable, Sendable {
            var transactions: Int
            var groups: Int
        }
    }

    let catalog: PostgresCatalog
    let poolerPort: Int
    /// The databases whose sequences are looked at.
    let databases: [String]

    init(of configuration: ClusterConfiguration) {
        catalog = PostgresCatalog(of: configuration, databases: [])
        poolerPort = configuration.pooler.port
        databases = configuration.databases.map(\.name)
    }

    static let parameters = [
        "fsync", "full_page_writes", "autovacuum", "data_checksums", "wal_log_hints", "archive_mode", "archive_command",
        "archive_library", "synchronous_standby_names", "synchronous_commit", "max_connections",
    ]

    private var sql: SQLText {
        let head: SQLText = """
            SELECT 'running', pg_is_in_recovery();
            SELECT 'setting', name, setting FROM pg_settings WHERE name IN (\(literals: MemberHealth.parameters));
            SELECT 'slot', active, coalesce(wal_status, ''), coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery()
                THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn), 0)::bigint, slot_name
                FROM pg_replication_slots;
            SELECT 'age', age(datfrozenxid), mxid_age(datminmxid), datname FROM pg_database;
            SELECT 'checksums', coalesce(sum(checksum_failures), 0) FROM pg_stat_database;
            SELECT 'connections', count(*) FROM pg_stat_activity WHERE backend_type = 'client backend';
            SELECT 'transaction', extract(epoch FROM now() - xact_start)::bigint, usename || ' in ' || datname
                FROM pg_stat_activity WHERE backend_type = 'client backend' AND xact_start < now() - interval '1 hour';
            SELECT 'transaction', extract(epoch FROM now() - prepared)::bigint, owner || ' in ' || database || ', prepared'
                FROM pg_prepared_xacts WHERE prepared < now() - interval '1 hour';
            SELECT 'trust', concat_ws(' ', type, array_to_string(database, ','), array_to_string(user_name, ','), address)
                FROM pg_hba_file_rules WHERE auth_method = 'trust' AND type <> 'local'
                AND coalesce(address, '') NOT IN ('127.0.0.1', '::1', 'localhost', 'samehost');
            """
        let sequences = databases.map { database -> SQLText in
            """
            \\connect \(identifier: database)
            SELECT 'sequence', (100 * last_value::numeric / max_value)::int,
                current_database() || '.' || schemaname || '.' || sequencename
                FROM pg_sequences WHERE increment_by > 0 AND NOT cycle AND last_value::numeric > 0.75 * max_value;
            """
        }
        return ([head] + sequences).joined(separator: "\n")
    }

    static func script(for questions: [MemberHealth]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            { \(question.catalog.script(running: question.sql))} 2>/dev/null
            \(question.catalog.poolerScript(
                port: question.poolerPort, ["SHOW CLIENTS"], hasHeaders: true)) 2>/dev/null
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [MemberHealth], from output: String) throws -> [MemberHealth: Answer] {
        var answers: [Answer] = []
        var columns: PoolerColumns?
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                columns = nil
                continue
            }
            // What people have named stands last, and may have the separator in it.
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            if let header = PoolerColumns(header: fields) {
                columns = header
                continue
            }
            guard let last = answers.indices.last, answers[last].read(fields, columns) else {
                throw UnreadableAnswer(MemberHealth.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(MemberHealth.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

extension MemberHealth.Answer {
    /// - Returns: false for a line that nobody asked for.
    fileprivate mutating func read(_ fields: [String], _ columns: PoolerColumns?) -> Bool {
        func rest(_ index: Int) -> String { fields.dropFirst(index).joined(separator: "|") }
        func number(_ index: Int) -> Int { fields.count > index ? Int(fields[index]) ?? 0 : 0 }
        switch (fields[0], fields.count) {
        case ("running", 2):
            isRunning = true
            isInRecovery = fields[1] == "t"
        case ("setting", 3...): settings[fields[1]] = rest(2)
        case ("slot", 5...):
            slots.append(.init(name: rest(4), isActive: fields[1] == "t", retained: number(3), state: fields[2]))
        case ("age", 4...): ages[rest(3)] = .init(transactions: number(1), groups: number(2))
        case ("checksums", 2): checksumFailures = number(1)
        case ("connections", 2): connections = number(1)
        case ("transaction", 3...): transactions[rest(2)] = max(number(1), transactions[rest(2)] ?? 0)
        case ("trust", 2...): trust.insert(rest(1))
        case ("sequence", 3...): sequences[rest(2)] = number(1)
        case ("C", _):
            guard let state = columns?.value(of: "state", in: fields) else { return false }
            hasPooler = true
            guard state == "waiting", columns?.value(of: "database", in: fields) != "pgbouncer" else { break }
            let seconds = columns?.value(of: "wait", in: fields).flatMap { Int($0) } ?? 0
            waiting = Waiting(clients: waiting.clients + 1, seconds: max(waiting.seconds, seconds))
        default: return false
        }
        return true
    }
}
