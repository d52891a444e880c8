import Drover

/// Which databases of the pooler are paused: their clients wait.
struct PoolerState: Fact {
    let server: PostgresCatalog
    let port: Int

    /// The twelfth column is `paused` (PgBouncer 1.18, `SHOW DATABASES`).
    static func script(for questions: [PoolerState]) -> String {
        questions.map { question in
            "echo question\n\(question.paused) 2>/dev/null"
        }.joined(separator: "\n")
    }

    static func answers(to questions: [PoolerState], from output: String) throws -> [PoolerState: Set<String>] {
        var answers: [Set<String>] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append([])
            } else if !answers.isEmpty, line.hasPrefix("=") {
                answers[answers.count - 1].insert(String(line.dropFirst()))
            } else {
                throw UnreadableAnswer(PoolerState.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(PoolerState.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    private var databases: String { server.poolerScript(port: port, ["SHOW DATABASES"]) }

    private var paused: String { databases + #" | awk -F '|' '$12 == 1 { print "=" $1 }'"# }

    /// Shell text that pauses every database that has been used. A pause lasts though who asked for it does not wait until the
    /// last transaction has ended, which `timeout` sees to.
    var pausing: String {
        """
        \(databases) | awk -F '|' '$1 != "pgbouncer" && $12 == 0 { print $1 }' | while read -r database; do
            timeout 0.3 \(order("PAUSE")) >/dev/null 2>&1 || :
        done
        """
    }

    /// Shell text that ends the pause of every database. PgBouncer takes it for an error when somebody else has just ended it,
    /// as the host by itself and a run may do at the same moment.
    var resuming: String {
        """
        \(databases) | awk -F '|' '$12 == 1 { print $1 }' | while read -r database; do
            said=$(\(order("RESUME")) 2>&1) || ! { \(paused) | grep -qxF "=$database"; } || { echo "$said"; exit 1; }
        done
        """
    }

    /// Shell text that succeeds while a database is paused.
    var isPaused: String { "{ \(paused) | grep -q .; }" }

    /// Shell text that passes all clients on to another server. PgBouncer reads to where, and the file is as it was again at
    /// once: who starts PgBouncer anew has it serve its own server. At every moment there is one whole file or the other.
    func passing(to successor: PausedPooler.Successor) -> String {
        let file = "/etc/pgbouncer/pgbouncer.ini"
        return """
            cp -p \(file) \(file).kept
            sed -i 's|host=/var/run/postgresql port=[0-9]*|host=\(successor.address) port=\(successor.port)|' \(file)
            \(reloading)
            mv -fT \(file).kept \(file)
            \(resuming)
            """
    }

    /// Shell text that has PgBouncer read its files again.
    var reloading: String { server.poolerScript(port: port, ["RELOAD"]) }

    /// Shell text that succeeds while clients are there.
    var hasClients: String {
        "{ \(server.poolerScript(port: port, ["SHOW CLIENTS"])) | awk -F '|' '$3 != \"pgbouncer\"' | grep -q .; }"
    }

    private func order(_ verb: String) -> String {
        server.poolerScript(port: port, []) + #" -c "\#(verb) \"$database\"""#
    }
}
