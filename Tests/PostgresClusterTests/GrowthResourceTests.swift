import Engine
import FoundationEssentials
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("What makes members and balancers")
struct GrowthResourceTests {
    // MARK: Priorities

    private static let priorities: [(names: [String], present: [String: Int], expected: [String: Int])] = [
        ([], [:], [:]),
        (["a", "b", "c"], [:], ["a": 150, "b": 149, "c": 148]),
        (["a", "b", "c"], ["b": 150, "c": 149], ["a": 148, "b": 150, "c": 149]),
        (["a", "b"], ["a": 150, "b": 150], ["a": 150, "b": 149]),
        (["a", "b"], ["a": 1], ["a": 1, "b": 254]),
        (["a", "b"], ["a": 300], ["a": 150, "b": 149]),
        (["b"], ["a": 150, "b": 149], ["b": 149]),
    ]

    @Test("a balancer keeps its priority, wherever the inventory names it; a new one comes last", arguments: priorities)
    func priority(names: [String], present: [String: Int], expected: [String: Int]) {
        #expect(KeepalivedPriority.distribution(among: names, present: present) == expected)
    }

    @Test(
        "the priority in a file",
        arguments: [("150\n", 150), ("", nil), ("1\n2\n", nil), ("x\n", nil)] as [(String, Int?)])
    func reading(output: String, expected: Int?) throws {
        let answers = try KeepalivedPriority.answers(to: [KeepalivedPriority()], from: output)
        #expect(answers[KeepalivedPriority()] == .some(expected))
    }

    @Test("those that still have a password for VRRP lose it together, others change one after the other")
    func pace() async throws {
        for (text, expected) in [
            ("    authentication {\n        auth_pass 6b9d9761\n    }\n", Play.Strategy.together),
            ("    priority 100\n", .rolling),
        ] {
            let script = KeepalivedAuthentication.script(for: [KeepalivedAuthentication()])
            let folder = try TemporaryDirectory(["keepalived.conf": text])
            let run = try await ShellRun.of(script.reveal().replacing("/etc/keepalived/", with: "\(folder.path)/"))
            let answers = try KeepalivedAuthentication.answers(to: [KeepalivedAuthentication()], from: run.output)
            let cluster = try Sample.cluster(
                Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"]),
                state: .running(leader: "pg1", withDatabase: ["pg1"])
            ) { observed, configuration in
                observed[configuration.balancers[1].host].record(
                    answers[KeepalivedAuthentication()] ?? false, to: KeepalivedAuthentication())
            }
            #expect(cluster.addressPace == expected)
            #expect(
                cluster.balancing([], beside: cluster.configuration.balancers).first { $0.name == "Hold the address" }?
                    .strategy == expected)
        }
    }

    // MARK: The address

    private static let holding: [(addresses: Set<String>, starts: Bool, count: Int)] = [
        (["10.0.0.2"], false, 0), (["10.0.0.2"], true, 1), (["10.0.0.2", "10.0.0.100"], false, 1),
    ]

    @Test("who was started is watched, and who took the address is stopped", arguments: holding)
    func standsBy(addresses: Set<String>, starts: Bool, count: Int) throws {
        var facts = Facts()
        facts.record(addresses, to: HostAddresses())
        let pending = PendingEffects(starts ? [.starts("keepalived.service")] : [])
        let changes = try StandsBy(address: "10.0.0.100", holder: "pg1").changes(given: facts, after: pending)
        #expect(changes.map(\.summary) == Array(repeating: "see that 10.0.0.100 stays at pg1", count: count))
    }

    @Test("a host that takes the address loses its keepalived, and the step fails")
    func twoHolders() async throws {
        var facts = Facts()
        facts.record(["10.0.0.100"], to: HostAddresses())
        let changes = try StandsBy(address: "10.0.0.100", holder: "pg1").changes(given: facts, after: PendingEffects())
        let script = try #require(changes.first).script.reveal()
        let run = try await ShellRun.of(
            """
            ip() { echo '2: eth0    inet 10.0.0.100/24 scope global secondary eth0'; }
            keep_unit() { echo "kept $1"; }
            systemctl() { echo "$@"; }
            ( \(script) ); echo "status $?"
            """)
        let lines = run.output.linesOfText
        #expect(lines.prefix(2) == ["kept keepalived.service", "stop keepalived.service"])
        #expect(lines.last == "status 1")
    }

    // MARK: The clone

    private static let clones: [(state: String, journal: String, isVain: Bool)] = [
        ("stopped", "ERROR: failed to bootstrap from leader 'pg1'", true),
        ("stopped", "CRITICAL: system ID is invalid; consider doing reinitialize", true),
        ("creating replica", "ERROR: failed to bootstrap from leader 'pg1'", false), ("stopped", "", false),
        ("start failed", "", true),
    ]

    @Test("a clone that failed ends the waiting with what to do; one that is on its way does not", arguments: clones)
    func clone(state: String, journal: String, isVain: Bool) async throws {
        let run = try await waiting(
            beside: """
                    journalctl() { echo "\(journal)"; }
                    curl() { case "$*" in */primary) false ;; *) echo '{"state": "\(state)"}' ;; esac; }
                """)
        #expect(run.status == (isVain ? 1 : 0), "\(run)")
        #expect(run.output.contains("reinit demo pg2") == isVain, "\(run)")
        if !isVain { #expect(run.output == "progress: 7 MB are there\n") }
    }

    private static let sources: [(source: String?, expected: [String])] = [
        (nil, ["http://10.0.0.1:8008/config"]),
        ("pg1", ["http://10.0.0.1:8008/config"]),
        ("pg3", ["http://10.0.0.1:8008/config", "http://10.9.0.3:8008/config"]),
    ]

    @Test("those from which a new member streams are woken once they know it, and only once", arguments: sources)
    func announcement(source: String?, expected: [String]) async throws {
        let woken = try TemporaryDirectory([:])
        let text = CascadeTests.text(source.map { ["pg2": $0] } ?? [:])
        let run = try await waiting(
            in: text,
            beside: """
                    curl() {
                        for url; do :; done
                        case "$*" in
                        */primary) false ;;
                        */cluster) [ $(wc -l <"$looks") -lt 2 ] || echo '{"members": [{"name": "pg2", "role": "replica"}]}' ;;
                        *' PATCH '*) echo "$url" >>\(woken.path)/urls ;;
                        *) echo '{"state": "creating replica"}' ;;
                        esac
                    }
                """)
        #expect(run.status == 0, "\(run)")
        let urls = try String(contentsOfFile: "\(woken.path)/urls", encoding: .utf8).linesOfText
        #expect(urls == expected)
    }

    /// Waits for a second member that is cloned from the first: the fifth look says that it streams.
    private func waiting(in text: String = Sample.text(), beside functions: String) async throws -> ShellRun {
        let cluster = try Sample.cluster(text, state: .running(leader: "pg1", withDatabase: ["pg1", "pg3"]))
        let waiting = try #require(
            cluster.newMember(on: cluster.configuration.members[1].host)
                .first { $0.name == "condition PostgreSQL leads or streams" })
        var facts = Facts()
        for question in waiting.questions {
            if let response = question as? HTTPResponse { facts.record(.init(status: 0, body: ""), to: response) }
            if let catalog = question as? PostgresCatalog { facts.record(.init(), to: catalog) }
        }
        let change = try #require(try waiting.changes(given: facts, after: PendingEffects()).first)
        let folder = try TemporaryDirectory(["looks": ""])
        return try await ShellRun.of(
            """
            looks=\(folder.path)/looks
            systemctl() { false; }
            du() { echo 7 x; }
            sleep() { :; }
            runuser() { cat >/dev/null; echo x >>"$looks"; [ $(wc -l <"$looks") -lt 5 ] || echo streams; }
            \(functions)
            ( set -e
            \(change.script.reveal())
            )
            """)
    }

    // MARK: The way of clients

    private static let path = ClientPath(
        balancer: Peer(name: "lb", address: "10.0.0.9"), leaderPort: 5000, replicasPort: 5001,
        login: .init(name: "pgbouncer", password: Secret(#"a:b\c'd"#)), binaryDirectory: "/b", timeout: 0)

    @Test("SQL is proven when it does not pass", arguments: [(true, 0), (false, 1)])
    func proof(passes: Bool, count: Int) throws {
        var facts = Facts()
        for question in Self.path.questions.compactMap({ $0 as? CommandSuccess }) { facts.record(passes, to: question) }
        let changes = try Self.path.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == Array(repeating: "prove that SQL passes through lb", count: count))
        for change in changes { #expect(!change.script.description.contains("a:b")) }
    }

    private static let answers: [(leader: String, replica: String, complaint: String?)] = [
        ("f", "t", nil), ("t", "t", "port 5000 does not lead to the leader"),
        ("f", "f", "port 5001 does not lead to a replica"), ("f", "", "port 5001 does not lead to a replica"),
    ]

    @Test("the leader's port must lead to the leader, the other to a replica, by password", arguments: answers)
    func ports(leader: String, replica: String, complaint: String?) async throws {
        var facts = Facts()
        for question in Self.path.questions.compactMap({ $0 as? CommandSuccess }) { facts.record(false, to: question) }
        let change = try #require(Self.path.changes(given: facts, after: PendingEffects()).first)
        let script = change.script.reveal().replacing("/b/psql", with: "client")
        let run = try await ShellRun.of(
            """
            client() {
                while [ "$1" != -p ]; do shift; done
                [ "$(cat "$PGPASSFILE")" = '*:*:*:*:a\\:b\\\\c'"'"'d' ] || echo wrong
                [ "$(stat -c %a "$PGPASSFILE")" = 600 ] || echo open
                case $2 in 5000) echo '\(leader)' ;; 5001) echo '\(replica)' ;; esac
            }
            ( \(script) ) && echo passed
            """)
        #expect(run.output.linesOfText.last == complaint ?? "passed", "\(run)")
    }
}
