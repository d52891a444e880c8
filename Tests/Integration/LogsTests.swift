import Foundation
import Subprocess
import Testing

/// `drover logs` and `drover connect` about a cluster at work.
@Suite("Logs and connections", .lab(from: .deployed))
struct LogsTests {
    private var lab: TestLab { TestLab.current }

    private func logs(_ words: String...) -> [String] {
        lab.inside(Drover.program) + ["logs", "-i", lab.inventory] + words
    }

    /// A message as `--json` prints it.
    private struct Message: Decodable {
        let time: String
        let host: String
        let unit: String
        let message: String
    }

    @Test("the messages of all hosts in order, those that follow, unreachable hosts, and psql by what connect prints")
    func logsAndConnections() async throws {
        let all = try await Command.run(logs("--json"))
        #expect(all.status == 0, "\(all.errors)")
        let messages = try all.output.linesOfOutput.map { try JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
        #expect(Set(messages.map(\.host)) == ["pg1", "pg2", "pg3"])
        #expect(Set(messages.map(\.unit)).isSuperset(of: ["patroni", "etcd", "pgbouncer", "haproxy", "keepalived"]))
        #expect(messages.map { String($0.time.prefix(19)) } == messages.map { String($0.time.prefix(19)) }.sorted())

        let leader = try #require(try await lab.status().leader)
        let ofLeader = try await Command.run(logs("leader", "--unit", "patroni", "--json"))
        #expect(!ofLeader.output.isEmpty && ofLeader.output.linesOfOutput.allSatisfy { $0.contains(#""\#(leader)""#) })

        // Ctrl-C ends it here and on the hosts.
        let followed = try await RunningProgram.run(logs("pg1", "pg2", "--follow", "--since", "1s")) { line, program in
            if line.contains("Reloaded haproxy") {
                try program.send(.interrupt)
            } else if line.contains("times in UTC") {
                try await lab.must(on: "pg2", "systemctl reload haproxy")
            }
        }
        #expect(followed.output.contains(#/ pg2 haproxy +Reloaded haproxy/#))
        #expect(followed.status == 0, "\(followed.errors)")
        for host in ["pg1", "pg2"] { try await lab.must(on: host, "! pgrep -f 'journalctl.*[-]-follow'") }

        for role in ["leader", "replica"] {
            let connection = try await lab.drover(
                "connect", "-i", lab.inventory, "--format", "env", "--role", role)
            try #require(connection.status == 0, "\(connection.everything)")
            #expect(!connection.output.contains(lab.password(of: "app")))
            let script = connection.output.replacing(/[^=\s]*\/secrets\/lab\/ca\.crt/, with: "/etc/ssl/drover/ca.crt")
            let answer = try await lab.must(
                on: "pg3",
                "\(script)\nPGPASSWORD=\(lab.password(of: "app")) psql -XAtc 'SELECT pg_is_in_recovery(), current_user'"
            )
            #expect(answer == "\(role == "replica" ? "t" : "f")|app\n")
        }

        try await lab.fault("cut", "pg3")
        let partial = try await Command.run(logs("--since", "1m"))
        #expect(partial.status == 4, "\(partial.errors)")
        #expect(partial.errors.contains("pg3: ") && partial.output.contains(" pg1 "))
    }
}
