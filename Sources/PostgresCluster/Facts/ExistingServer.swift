import Engine
import FoundationEssentials

/// What the server is like that works on a data directory, whoever has started it: asked of a host whose PostgreSQL is to
/// become the leader of a cluster.
struct ExistingServer: Fact {
    struct Answer: Hashable, Sendable {
        /// Where it listens; nil while it does not run.
        var listening: Listening?
        /// The unit of systemd that it runs in: `postgresql@15-main.service`.
        var unit: String?
        var identity: Identity?
        /// The parameters that its files set, that were asked for, or that wait for a restart, by name in lower case.
        var settings: [String: Setting] = [:]
        /// The text of its `pg_hba.conf`.
        var accessFile = ""
        /// The names of its replication slots.
        var slots: Set<String> = []
        /// Who streams from it: `10.0.0.9 (walreceiver)`.
        var standbys: Set<String> = []
        /// The directories of its tablespaces.
        var tablespaces: Set<String> = []
        /// The roles that log in with a password of which only the MD5 digest is known.
        var oldPasswords: Set<String> = []
        /// Why it could not be asked.
        var complaint: String?

        struct Listening: Hashable, Sendable {
            let port: Int
            let socketDirectory: String
        }

        struct Identity: Hashable, Sendable, Decodable {
            var inRecovery = false
            /// `15.14`.
            var version: String
            var hasChecksums = true
            var configFile: String
            var identFile: String
        }

        struct Setting: Hashable, Sendable, Decodable {
            /// As it is in force, in the unit of the parameter.
            var running: String
            var unit: String?
            var kind: String
            /// As its files have it; nil when they are silent about it.
            var file: String?
            /// Whether `ALTER SYSTEM` has set it.
            var isBySystem = false
            /// Whether its files say something that only a restart would bring into force.
            var isPending = false

            /// Whether a restart would bring another value into force. (PostgreSQL goes on saying so when the files have been
            /// put right again.)
            var waits: Bool { isPending && file.map { !value.equals($0) } ?? isPending }

            var value: RunningValue {
                RunningValue(running, kind: .init(rawValue: kind) ?? .string, unit: unit ?? "")
            }
        }
    }

    let directory: String
    let binaryDirectory: String
    /// The parameters whose values are wanted in any case.
    let names: [String]

    static func script(for questions: [ExistingServer]) -> ShellText {
        Postmaster.definition + "\n"
            + questions.map { question -> ShellText in
                let directory = ShellText.quoting(question.directory)
                return """
                    echo question
                    if works_on \(directory) && \
                        { read -r pid; read -r _; read -r _; read -r port; read -r sockets; } <<END_OF_FILE
                    $(cd / && runuser -u postgres -- head -n 5 \(directory)/postmaster.pid)
                    END_OF_FILE
                    then
                        echo "listening $port $sockets"
                        sed -n 's|^.*/\\(postgresql@[^/]*\\.service\\)$|unit \\1|p' "/proc/$pid/cgroup" | head -n 1
                        runuser -u postgres -- \(quoting: question.binaryDirectory + "/psql") -XAtq -F ' ' \\
                            -v ON_ERROR_STOP=1 -h "$sockets" -p "$port" -U postgres -d postgres -f - 2>&1 \(hereDocument: question.sql, "END_OF_SQL")
                    fi
                    """
            }.joined(separator: "\n")
    }

    /// Of several entries for a parameter the last one counts; one that waits for a restart is no error of its own.
    private var sql: SQLText {
        """
        SELECT 'identity', json_build_object('inRecovery', pg_is_in_recovery(),
            'version', split_part(current_setting('server_version'), ' ', 1),
            'hasChecksums', current_setting('data_checksums')::bool, 'configFile', current_setting('config_file'),
            'identFile', current_setting('ident_file'));
        WITH entries AS (
            SELECT DISTINCT ON (lower(name)) lower(name) AS name, setting FROM pg_file_settings
            WHERE error IS NULL OR error = 'setting could not be applied' ORDER BY lower(name), seqno DESC
        ), system AS (
            SELECT DISTINCT lower(name) AS name FROM pg_file_settings WHERE sourcefile LIKE '%/postgresql.auto.conf'
        )
        SELECT 'setting', json_build_object(lower(p.name), json_build_object('running', p.setting, 'unit', p.unit,
                'kind', p.vartype, 'file', coalesce(e.setting, CASE WHEN p.source = 'command line' THEN p.setting END),
                'isBySystem', s.name IS NOT NULL, 'isPending',
                p.pending_restart AND (e.name IS NOT NULL OR p.source = 'configuration file')))
            FROM pg_settings p LEFT JOIN entries e ON e.name = lower(p.name) LEFT JOIN system s ON s.name = lower(p.name)
            WHERE e.name IS NOT NULL OR p.pending_restart OR p.source = 'command line'
                OR lower(p.name) IN (\(literals: names.isEmpty ? [""] : names));
        SELECT 'access', to_json(pg_read_file(current_setting('hba_file')));
        SELECT 'slot', slot_name FROM pg_replication_slots WHERE NOT temporary;
        SELECT 'standby', coalesce(host(client_addr), 'this host') || ' (' || application_name || ')'
            FROM pg_stat_replication WHERE state <> 'backup';
        SELECT 'tablespace', pg_tablespace_location(oid) FROM pg_tablespace WHERE pg_tablespace_location(oid) <> '';
        SELECT 'password', rolname FROM pg_authid WHERE rolcanlogin AND rolpassword LIKE 'md5%';
        """
    }

    static func answers(to questions: [ExistingServer], from output: String) throws -> [ExistingServer: Answer] {
        var answers: [Answer] = []
        let decoder = JSONDecoder()
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            guard !answers.isEmpty else { throw UnreadableAnswer(ExistingServer.self, line) }
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let last = answers.count - 1
            guard words.count == 2 else { throw UnreadableAnswer(ExistingServer.self, line) }
            let value = Data(words[1].utf8)
            switch words[0] {
            case "listening":
                let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
                guard parts.count == 2, let port = Int(parts[0]) else {
                    throw UnreadableAnswer(ExistingServer.self, line)
                }
                answers[last].listening = .init(port: port, socketDirectory: parts[1])
            case "unit": answers[last].unit = words[1]
            case "identity": answers[last].identity = try decoder.decode(Answer.Identity.self, from: value)
            case "setting":
                let setting = try decoder.decode([String: Answer.Setting].self, from: value)
                answers[last].settings.merge(setting) { $1 }
            case "access": answers[last].accessFile = try decoder.decode(String.self, from: value)
            case "slot": answers[last].slots.insert(words[1])
            case "standby": answers[last].standbys.insert(words[1])
            case "tablespace": answers[last].tablespaces.insert(words[1])
            case "password": answers[last].oldPasswords.insert(words[1])
            default: answers[last].complaint = answers[last].complaint ?? line
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(ExistingServer.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
