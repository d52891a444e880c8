import Engine

/// What a member of etcd counts: its `/metrics` (etcd 3.4), of which only a few lines travel. The answer is empty while it does
/// not answer.
struct EtcdMetrics: Fact {
    struct Answer: Hashable, Sendable {
        /// Bytes of the database, and how many it may have; then etcd takes no more writes.
        var size: Int?
        var quota: Int?
        /// How often the leader of etcd has changed since this member was started.
        var leaderChanges: Int?
        /// For how many seconds it has run.
        var uptime: Int?
    }

    let endpoint: EtcdEndpoint

    static func script(for questions: [EtcdMetrics]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            \(question.endpoint.curl("/metrics", "--connect-timeout 0.25 --max-time 3")) 2>/dev/null |
                grep -E '^(etcd_mvcc_db_total_size_in_bytes|etcd_server_quota_backend_bytes|etcd_server_leader_changes_seen_total|process_start_time_seconds) '
            echo "now $(date +%s)"
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [EtcdMetrics], from output: String) throws -> [EtcdMetrics: Answer] {
        var answers: [Answer] = []
        var start: Int?
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                start = nil
                continue
            }
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Double(words[1]), let last = answers.indices.last else {
                throw UnreadableAnswer(EtcdMetrics.self, line)
            }
            let value = Int(number)
            switch words[0] {
            case "etcd_mvcc_db_total_size_in_bytes": answers[last].size = value
            case "etcd_server_quota_backend_bytes": answers[last].quota = value
            case "etcd_server_leader_changes_seen_total": answers[last].leaderChanges = value
            case "process_start_time_seconds": start = value
            default: answers[last].uptime = start.map { value - $0 }
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(EtcdMetrics.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
