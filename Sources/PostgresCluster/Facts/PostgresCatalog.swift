public import Engine
import FoundationEssentials
import Secrets

/// What a running member of the cluster has in its catalogue, and which part it plays. One `psql`, as the superuser
/// over the local socket, answers everything.
public struct PostgresCatalog: Fact {
    /// The catalog of a running server.
    public struct Answer: Hashable, Sendable {
        /// Whether the server answers at all.
        public var isRunning = false
        /// Whether it replays another's log.
        public var isInRecovery = false
        /// Whether it receives that log by streaming at this moment.
        public var isStreaming = false
        /// The timeline that it receives; nil when it receives none.
        public var timeline: Int?
        /// Whether it has replayed all but one segment of the log that it knows to be there.
        public var hasCaughtUp = false
        /// The roles by name: their flags, as `SUPERUSER CREATEDB`, whether they can log in, and the verifier of their password.
        public var roles: [String: Role] = [:]
        public var databases: [String: Database] = [:]
        /// The names of the physical replication slots.
        public var slots: Set<String> = []
        /// The MD5 digest of the rules of `pg_hba.conf`, without its comments.
        public var accessDigest = ""
        /// Whether one of these rules cannot be read.
        public var hasBrokenRules = false
        /// The databases in which the pooler may read password verifiers.
        public var lookups: Set<String> = []
        /// The roles that may read the files that `pg_rewind` reads, besides superusers.
        public var rewinders: Set<String> = []

        /// A database in the catalog.
        public struct Database: Hashable, Sendable, Decodable {
            public var owner: String
            public var encoding = "UTF8"
            public var collation = "C.UTF-8"
            public var characters = "C.UTF-8"
            /// How many connections it takes at a time; -1 for any number.
            public var connectionLimit = -1
        }

        /// A role in the catalog.
        public struct Role: Hashable, Sendable {
            public var flags: Set<String>
            public var canLogIn = true
            public var verifier: String
            public var inherits = true
            /// How many connections it may have at a time; -1 for any number.
            public var connectionLimit = -1
            public var expiry = ClusterConfiguration.Role.Expiry.never
            /// The roles that it belongs to itself.
            public var groups: Set<String> = []
        }
    }

    /// With how many bytes yet to replay a replica may serve clients: one segment of the log.
    private static let littleLag = 16_777_216

    /// In `pg_stat_wal_receiver`. A leader that is idle does not tell at once how far it is: then there is nothing to replay.
    static let isNear: SQLText = "coalesce(pg_wal_lsn_diff(latest_end_lsn, pg_last_wal_replay_lsn()), 0) < \(littleLag)"

    /// Of the file that PostgreSQL reads. Patroni writes a comment above the rules.
    static let accessDigest: SQLText =
        "md5(regexp_replace(pg_read_file(current_setting('hba_file')), '^#[^\\n]*\\n', '', 'gn'))"

    private let port: Int
    private let binaryDirectory: String
    private let superuser: String
    /// The databases to look into, for the right to look up passwords.
    private let databases: [String]
    /// The role that must have it.
    private let lookupRole: String

    public init(port: Int, binaryDirectory: String, superuser: String, databases: [String], lookupRole: String) {
        self.port = port
        self.binaryDirectory = binaryDirectory
        self.superuser = superuser
        self.databases = databases
        self.lookupRole = lookupRole
    }

    init(of configuration: ClusterConfiguration, databases: [String]) {
        self.init(
            port: configuration.postgres.port, binaryDirectory: configuration.postgres.binaryDirectory,
            superuser: configuration.patroni.superuser.name, databases: databases,
            lookupRole: configuration.pooler.login.name)
    }

    public static func script(for questions: [PostgresCatalog]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            { \(question.script(running: question.sql))} 2>/dev/null
            """
        }.joined(separator: "\n")
    }

    /// The client with the options that a script needs: no start-up file, no alignment, tuples only, first error ends,
    /// statements from the standard input. A commit waits for no replica: where `synchronous_mode_strict` has it wait, roles
    /// and databases are made before there is one.
    ///
    /// The owner of a database may set `search_path` and `role` for all its sessions. With such a `search_path` the superuser
    /// would run the owner's functions in place of those of PostgreSQL, so it is set here, which goes before.
    private func psql(in database: String?) -> ShellText {
        let options = "-c synchronous_commit=local -c search_path=pg_catalog -c role=none"
        let words =
            [
                "env", "PGOPTIONS=\(options)", binaryDirectory + "/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-F", "|",
                "-h", "/var/run/postgresql", "-p", String(port), "-U", superuser,
            ] + (database.map { ["-d", SQL.connection(to: $0)] } ?? []) + ["-f", "-"]
        return "runuser -u postgres -- \(words: words)"
    }

    /// The shell text that runs statements as the superuser, each for itself.
    func script(running sql: SQLText, in database: String = "postgres") -> ShellText {
        "\(psql(in: database)) \(hereDocument: sql, "END_OF_SQL")\n"
    }

    /// The shell text that runs a statement as the superuser in every database but some. One that takes no connection or no
    /// change is printed and left out: its owner must not be able to end a run.
    func script(running statement: SQLText, inAllDatabasesBut others: [String]) -> ShellText {
        let names = script(
            running:
                "SELECT datname FROM pg_database WHERE datallowconn AND datname NOT IN (\(literals: others)) ORDER BY datname;"
        )
        return """
            names=$(\(names))
            printf '%s\\n' "$names" | while IFS= read -r name; do
                [ -z "$name" ] || printf '%s\\n' \(quoting: statement) | PGDATABASE=$name \(psql(in: nil)) ||
                    printf 'not in the database %s\\n' "$name"
            done

            """
    }

    /// The shell text that gives PgBouncer orders. On its socket the server's own user of the system needs no password for
    /// the name `pgbouncer` (PgBouncer 1.18, "Admin console").
    ///
    /// - Parameter hasHeaders: whether a table begins with the names of its columns.
    func poolerScript(port: Int, _ orders: [String], hasHeaders: Bool = false) -> ShellText {
        let words =
            [binaryDirectory + "/psql"] + (hasHeaders ? ["-XAq", "-P", "footer=off"] : ["-XAtq"]) + [
                "-F", "|", "-h", "/var/run/postgresql", "-p", String(port), "-U", "pgbouncer", "-d", "pgbouncer",
            ] + orders.flatMap { ["-c", $0] }
        return "runuser -u postgres -- \(words: words)"
    }

    private var sql: SQLText {
        let head: SQLText = """
            SELECT 'running', pg_is_in_recovery(),
                EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming');
            SELECT 'stream', received_tli,
                \(PostgresCatalog.isNear)
                FROM pg_stat_wal_receiver WHERE status = 'streaming';
            SELECT 'access', \(PostgresCatalog.accessDigest),
                EXISTS (SELECT FROM pg_hba_file_rules WHERE error IS NOT NULL);
            SELECT 'role', concat_ws(' ', CASE WHEN rolsuper THEN 'SUPERUSER' END,
                    CASE WHEN rolcreatedb THEN 'CREATEDB' END, CASE WHEN rolcreaterole THEN 'CREATEROLE' END,
                    CASE WHEN rolreplication THEN 'REPLICATION' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END,
                    CASE WHEN rolcanlogin THEN 'LOGIN' END, CASE WHEN rolinherit THEN 'INHERIT' END),
                rolconnlimit, CASE WHEN isfinite(rolvaliduntil) THEN (extract(epoch FROM rolvaliduntil) * 1000000)::bigint END,
                coalesce(rolpassword, ''), rolname
                FROM pg_authid;
            SELECT 'groups', json_build_object(pg_get_userbyid(member), json_agg(pg_get_userbyid(roleid)))
                FROM pg_auth_members GROUP BY member;
            SELECT 'slot', slot_name FROM pg_replication_slots WHERE slot_type = 'physical';
            SELECT 'rewinder', rolname FROM pg_authid WHERE rolreplication AND NOT rolsuper AND \(mayRewind);
            SELECT 'database', json_build_object(datname, json_build_object('owner', pg_get_userbyid(datdba),
                    'encoding', pg_encoding_to_char(encoding), 'collation', datcollate, 'characters', datctype,
                    'connectionLimit', datconnlimit))
                FROM pg_database WHERE datallowconn;
            """
        let lookups = databases.map { database -> SQLText in
            """
            \\connect \(identifier: database)
            SELECT 'lookup', current_database() FROM pg_authid WHERE rolname = \(literal: lookupRole) AND \(mayLookUp);
            """
        }
        return ([head] + lookups).joined(separator: "\n")
    }

    private var mayLookUp: SQLText {
        PoolerLookup.columns.map {
            "has_column_privilege(oid, 'pg_authid'::regclass, \(literal: $0), 'SELECT')" as SQLText
        }
        .joined(separator: " AND ")
    }

    private var mayRewind: SQLText {
        RewindRights.functions.map { "has_function_privilege(oid, \(literal: $0), 'EXECUTE')" as SQLText }
            .joined(separator: " AND ")
    }

    /// A database that is not there ends the output early; what is missing then is not there.
    public static func answers(to questions: [PostgresCatalog], from output: String) throws -> [PostgresCatalog: Answer]
    {
        var answers: [Answer] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            // What stands last may have the separator in it.
            let separators =
                line.hasPrefix("role|")
                ? 5
                : ["database|", "groups|", "lookup|", "rewinder|"].contains(where: line.hasPrefix) ? 1 : 2
            let fields = line.split(separator: "|", maxSplits: separators, omittingEmptySubsequences: false)
                .map(String.init)
            guard !answers.isEmpty else { throw UnreadableAnswer(PostgresCatalog.self, line) }
            switch (fields.first, fields.count) {
            case ("running", 3):
                answers[answers.count - 1].isRunning = true
                answers[answers.count - 1].isInRecovery = fields[1] == "t"
                answers[answers.count - 1].isStreaming = fields[2] == "t"
            case ("stream", 3):
                answers[answers.count - 1].timeline = Int(fields[1])
                answers[answers.count - 1].hasCaughtUp = fields[2] == "t"
            case ("access", 3):
                answers[answers.count - 1].accessDigest = fields[1]
                answers[answers.count - 1].hasBrokenRules = fields[2] == "t"
            case ("role", 6):
                let flags = Set(fields[1].split(separator: " ").map(String.init))
                answers[answers.count - 1].roles[fields[5]] = Answer.Role(
                    flags: flags.subtracting(["LOGIN", "INHERIT"]), canLogIn: flags.contains("LOGIN"),
                    verifier: fields[4], inherits: flags.contains("INHERIT"), connectionLimit: Int(fields[2]) ?? -1,
                    expiry: Int(fields[3]).map { .at(Moment(microseconds: $0)) } ?? .never)
            case ("slot", 2): answers[answers.count - 1].slots.insert(fields[1])
            case ("groups", 2):
                for (role, groups) in try JSONDecoder().decode([String: Set<String>].self, from: Data(fields[1].utf8)) {
                    answers[answers.count - 1].roles[role]?.groups = groups
                }
            case ("database", 2):
                let database = try JSONDecoder().decode([String: Answer.Database].self, from: Data(fields[1].utf8))
                answers[answers.count - 1].databases.merge(database) { $1 }
            case ("lookup", 2): answers[answers.count - 1].lookups.insert(fields[1])
            case ("rewinder", 2): answers[answers.count - 1].rewinders.insert(fields[1])
            default: throw UnreadableAnswer(PostgresCatalog.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(PostgresCatalog.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
