import Foundation
import Subprocess
import Testing

/// The views of `drover status` on a cluster at work.
@Suite("Views of the status")
struct StatusViewTests {
    private var lab: TestLab { TestLab.current }

    private func status(_ words: String...) -> [String] {
        lab.inside(Drover.program) + ["status", "-i", lab.inventory] + words
    }

    @Test("a watch follows the cluster on a terminal and leaves it as it was", .lab(from: .deployed))
    func watch() async throws {
        let leader = try #require(try await lab.status().leader)
        let replica = try #require(["pg1", "pg2", "pg3"].first { $0 != leader })
        let terminal = TestTerminal(folder: lab.folder)
        let watch = status("--watch").joined(separator: " ")
        try await terminal.open(
            """
            sh -c 'trap : INT; stty -a >before; echo earlier; \(watch); echo left with $?; stty -a | cmp - before && echo as before; \
            cat; \(watch); echo left again with $?; cat'
            """, size: (80, 24))
        let screen = try await terminal.await("No problems found.", seconds: 90)
        #expect(!screen.contains("earlier"))
        #expect(screen.contains(#/Cluster lab  healthy .* UTC, \d+ s ago  q quits/#), "\(screen)")
        #expect(screen.contains("\(leader)     leader   running"), "\(screen)")

        try await lab.must(on: replica, "systemctl stop pgbouncer")
        try await terminal.await("the pooler on \(replica) does not answer", seconds: 90)
        try await lab.fault("kill", replica)
        try await terminal.await("critical  \(replica): ", seconds: 120)

        try await terminal.send("q")
        let left = try await terminal.await("as before")
        #expect(left.contains("earlier\nleft with 0") && !left.contains("Cluster lab"), "\(left)")
        try await terminal.send("C-d")
        try await terminal.await("etcd     2 of 3 healthy; not \(replica)", seconds: 90)
        try await terminal.send("C-c")
        let again = try await terminal.await("left again with 0")
        #expect(!again.contains("Cluster lab"), "\(again)")
        try await terminal.close()
    }

    @Test(
        "observations as lines of JSON, metrics and the page agree about a cluster; without a terminal there is no watch",
        .lab(from: .deployed))
    func views() async throws {
        let refused = try await Command.run(status("--watch"))
        #expect(refused.status == 1 && refused.errors.contains("--watch needs a terminal"), "\(refused.everything)")

        var observations: [Status] = []
        let watched = try await RunningProgram.run(status("--watch", "--json")) { line, program in
            observations.append(try JSONDecoder().decode(Status.self, from: Data(line.utf8)))
            if observations.count == 2 { try program.send(.interrupt) }
        }
        #expect(watched.status == 0, "\(watched.errors)")
        let leader = try #require(observations.last?.leader)
        #expect(observations.count >= 2 && observations[0].leader == leader)

        let page = "\(lab.folder)/status.html"
        let metrics = try await Command.run(status("--openmetrics", "--page", page))
        try #require(metrics.status == 0, "\(metrics.everything)")
        #expect(metrics.output.hasSuffix("\n# EOF\n"))
        #expect(metrics.output.contains(#"drover_member_leader{cluster="lab",member="\#(leader)"} 1"#))
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for host in ["pg1", "pg2", "pg3"] where host != leader {
            #expect(metrics.output.contains(#"drover_member_lag_bytes{cluster="lab",member="\#(host)"} 0"#))
            #expect(html.contains("\(leader) replicates to \(host), lag 0 B."), "\(html)")
        }
        #expect(html.contains("✓ healthy"))
        #expect(!html.contains(lab.password(of: "app")))
    }
}
