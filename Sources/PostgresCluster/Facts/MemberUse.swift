import Engine
import Secrets

/// Who uses a member, apart from the cluster itself, and whether somebody writes.
struct MemberUse: Fact {
    /// Connections of one user to one database from one address, which is empty for one over the socket.
    struct Session: Hashable, Sendable {
        var user: String
        var database: String
        var address = ""
    }

    struct Answer: Hashable, Sendable {
        /// How many connections the server has, without those of Patroni and of the question itself.
        var backends: [Session: Int] = [:]
        /// How many clients the pooler has, without those who administer it.
        var poolerClients: [Session: Int] = [:]
        /// How many connections of the pooler the server has among its local ones; most may serve nobody.
        var poolerServers: [Session: Int] = [:]
        /// When the last checkpoint was, in UTC, when transactions that write have ended since then; only of who leads.
        var writtenSince: String?
    }

    let catalog: PostgresCatalog
    let poolerPort: Int
    /// Whether somebody reads the member's figures, who has a connection all the time.
    let isMonitored: Bool

    init(of configuration: ClusterConfiguration) {
        catalog = PostgresCatalog(of: configuration, databases: [])
        poolerPort = configuration.pooler.port
        isMonitored = configuration.monitoring != nil
    }

    /// That the log moves shows little: checkpoints and snapshots of running transactions are written to it while nobody
    /// does anything. Transaction numbers are used up only by who writes; a checkpoint writes down which one is next, and
    /// is made within `checkpoint_timeout` (five minutes unless set) after somebody wrote, and no more afterwards.
    private var sql: SQLText {
        """
        SELECT 'backend', count(*), coalesce(host(client_addr), ''), usename, coalesce(datname, '')
            FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            AND NOT (client_addr IS NULL AND usename = current_user AND application_name = 'Patroni')
            \(isMonitored ? "AND NOT (client_addr IS NULL AND usename = \(literal: ClusterConfiguration.Monitoring.role))" : "")
            GROUP BY 3, 4, 5;
        SELECT 'written', to_char(checkpoint_time AT TIME ZONE 'UTC', 'HH24:MI:SS') FROM pg_control_checkpoint()
            WHERE NOT pg_is_in_recovery() AND pg_snapshot_xmax(pg_current_snapshot())::text::numeric
            > split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric;
        """
    }

    static func script(for questions: [MemberUse]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            { \(question.catalog.script(running: question.sql))} 2>/dev/null
            \(question.catalog.poolerScript(
                port: question.poolerPort, ["SHOW CLIENTS", "SHOW SERVERS"], hasHeaders: true)) 2>/dev/null
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [MemberUse], from output: String) throws -> [MemberUse: Answer] {
        var answers: [Answer] = []
        var columns: PoolerColumns?
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                columns = nil
                continue
            }
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            if let header = PoolerColumns(header: fields) {
                columns = header
                continue
            }
            guard let last = answers.indices.last else { throw UnreadableAnswer(MemberUse.self, line) }
            switch fields[0] {
            case "backend" where fields.count > 4:
                let session = Session(user: fields[3], database: fields[4], address: fields[2])
                answers[last].backends[session, default: 0] += Int(fields[1]) ?? 1
            case "written" where fields.count == 2: answers[last].writtenSince = fields[1]
            case "C", "S":
                guard let user = columns?.value(of: "user", in: fields),
                    let database = columns?.value(of: "database", in: fields),
                    let address = columns?.value(of: "addr", in: fields)
                else { throw UnreadableAnswer(MemberUse.self, line) }
                if fields[0] == "S" {
                    answers[last].poolerServers[Session(user: user, database: database), default: 0] += 1
                } else if database != "pgbouncer" {
                    let session = Session(user: user, database: database, address: address)
                    answers[last].poolerClients[session, default: 0] += 1
                }
            default: throw UnreadableAnswer(MemberUse.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(MemberUse.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

extension MemberUse.Answer {
    /// Those who use the member: the pooler's clients, and the server's own that are not the pooler. That comes from the
    /// loopback address, or by the socket where an earlier version has set it up.
    var clients: [MemberUse.Session: Int] {
        var (clients, own) = (poolerClients, poolerServers)
        for (session, count) in backends.sorted(by: { $0.key.address > $1.key.address }) {
            let isLocal = ["", "127.0.0.1"].contains(session.address)
            let key = MemberUse.Session(user: session.user, database: session.database)
            let pooled = isLocal ? min(count, own[key] ?? 0) : 0
            own[key, default: 0] -= pooled
            if count > pooled { clients[session, default: 0] += count - pooled }
        }
        return clients
    }
}
