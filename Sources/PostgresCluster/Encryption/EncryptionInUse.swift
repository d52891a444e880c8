import Engine

/// Whether the parts of a cluster that are at work on a host speak TLS to each other. What has not begun yet is free to be
/// set up either way.
struct EncryptionInUse: Fact {
    struct Answer: Hashable, Sendable {
        /// Nil when this etcd has no data yet.
        var etcd: Bool?
        /// Nil when there is no database yet, or no Patroni.
        var patroni: Bool?
    }

    /// Of the cluster's etcd on this host.
    let etcdDirectory: String
    let dataDirectory: String

    /// The shell itself reads the files: a converged host starts as few programs as can be.
    static func script(for questions: [EncryptionInUse]) -> ShellText {
        """
        has() {
            while IFS= read -r line; do case $line in "$2"*) return 0 ;; esac; done <"$1"
            return 1
        }

        """
            + questions.map { question -> ShellText in
                """
                echo question
                [ ! -d \(quoting: question.etcdDirectory + "/member/wal") ] || [ ! -f /etc/default/etcd ] \\
                    || { has /etc/default/etcd ETCD_ADVERTISE_CLIENT_URLS=https: && echo 'etcd TLS' || echo 'etcd plain'; }
                [ ! -f \(quoting: question.dataDirectory + "/PG_VERSION") ] || [ ! -f \(quoting: Cluster.patroniFile) ] \\
                    || { has \(quoting: Cluster.patroniFile) '  certfile:' && echo 'patroni TLS' || echo 'patroni plain'; }
                """
            }.joined(separator: "\n") + "\n:"
    }

    static func answers(to questions: [EncryptionInUse], from output: String) throws -> [EncryptionInUse: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            switch (line.split(separator: " ").first, answers.indices.last) {
            case ("question", _): answers.append(Answer())
            case ("etcd", let last?): answers[last].etcd = line.hasSuffix(" TLS")
            case ("patroni", let last?): answers[last].patroni = line.hasSuffix(" TLS")
            default: throw UnreadableAnswer(EncryptionInUse.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(EncryptionInUse.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
