import Engine
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Resources of the removal of a node")
struct NodeRemovalResourceTests {
    private func facts<F: Fact>(_ answer: F.Answer, to question: F) -> Facts {
        var facts = Facts()
        facts.record(answer, to: question)
        return facts
    }

    private let api = PatroniAPI(address: "10.0.0.1", port: 8008)

    private func slotFacts(_ slots: Set<String>, patroni version: String, configuration: String = "{}") -> Facts {
        var facts = facts(.init(slots: slots), to: CatalogTests.catalog)
        let own = #"{"role":"primary","patroni":{"scope":"demo","version":"\#(version)"}}"#
        facts.record(.init(status: 200, body: own), to: PatroniStatus.own(at: api))
        facts.record(.init(status: 200, body: configuration), to: api.question("/config"))
        return facts
    }

    @Test(
        "the slot of a former member is dropped",
        arguments: [(["pg_3", "pg2"], 1), (["pg2"], 0)] as [(Set<String>, Int)])
    func slot(slots: Set<String>, count: Int) throws {
        let resource = NoReplicationSlot(member: "PG-3", catalog: CatalogTests.catalog, api: api)
        let changes = try resource.changes(given: slotFacts(slots, patroni: "3.0.2"), after: PendingEffects())
        #expect(changes.map(\.summary) == Array(repeating: "drop the replication slot of PG-3", count: count))
        #expect(changes.allSatisfy { $0.script.reveal().contains("WHERE slot_name = 'pg_3';") })
        #expect(changes.allSatisfy { !$0.script.reveal().contains("member_slots_ttl") })
    }

    @Test(
        "Patroni 4 drops it, when it retains none for a moment; then it retains slots as before",
        arguments: [("{}", "null"), (#"{"member_slots_ttl":900}"#, "900")])
    func retainedSlot(configuration: String, before: String) async throws {
        let resource = NoReplicationSlot(member: "PG-3", catalog: CatalogTests.catalog, api: api)
        let changes = try resource.changes(
            given: slotFacts(["pg_3"], patroni: "4.0.7", configuration: configuration), after: PendingEffects())
        let script = try #require(changes.first?.script.reveal())
        let run = try await ShellRun.of(
            """
            curl() { for word; do case $word in '{'*) echo "$word" | tee last; esac; done; }
            runuser() { cat >/dev/null; grep -q 'ttl":0' last && [ -e looked ] || echo exists; : >looked; }
            cd "$(mktemp -d)"
            \(script)
            """)
        #expect(run.status == 0)
        #expect(run.output == "{\"member_slots_ttl\":0}\n{\"member_slots_ttl\":\(before)}\n")
    }

    @Test("a former member of etcd is removed from it by its address", arguments: ["10.9.0.3", "10.9.0.33"])
    func etcd(address: String) async throws {
        let node = try Sample.configuration().members.map(Peer.init)[2]
        let resource = NoEtcdMember(
            node: node, peerURL: "http://10.9.0.3:2380", speaker: EtcdEndpoint(address: "10.0.0.1"))
        let list = #"{"members":[{"ID":"1","name":"pg3","peerURLs":["http://\#(address):2380"]}]}"#
        let facts = facts(.init(status: 200, body: list), to: EtcdStatus.members(at: EtcdEndpoint(address: "10.0.0.1")))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.count == (address == "10.9.0.3" ? 1 : 0))
        guard let script = changes.first?.script.reveal() else { return }
        let run = try await ShellRun.of(
            """
            etcdctl() {
                case "$3" in
                list) echo 'a1, started, pg1, http://10.0.0.1:2380, http://10.0.0.1:2379, false'
                    echo 'c3, started, other, http://10.9.0.3:2380, http://10.9.0.3:2379, false' ;;
                *) echo "$ETCDCTL_ENDPOINTS $@" ;;
                esac
            }
            set -e
            \(script)
            """)
        #expect(run.output == "http://10.0.0.1:2379 --command-timeout=10s member remove c3\n", "\(run)")
    }

    @Test("HAProxy is told to lead no new clients to a server, wherever it may still do so")
    func drainedServer() throws {
        let view = HAProxyView.question(statisticsPort: 7000)
        func orders(_ lines: [String], status: Int = 200) throws -> [String] {
            let answer = HTTPResponse.Answer(status: status, body: lines.map { $0 + "\n" }.joined())
            return try DrainedServer(server: "pg3", view: view)
                .changes(given: facts(answer, to: view), after: PendingEffects())
                .map { $0.script.reveal().linesOfText.last ?? "" }
        }
        func line(_ listener: String, _ server: String, _ status: String) -> String {
            "\(listener),\(server),0,0,0,0,,0,0,0,,0,,0,0,0,0,\(status),1,"
        }
        let others = [
            line("leader", "pg2", "UP"), line("replicas", "BACKEND", "UP"), line("replicas", "FRONTEND", "OPEN"),
        ]
        let all = ["haproxy_does 'set server leader/pg3 state drain; set server replicas/pg3 state drain'"]
        #expect(try orders(others + [line("leader", "pg3", "DOWN"), line("replicas", "pg3", "UP 1/3")]) == all)
        #expect(try orders(others + [line("leader", "pg3", "no check"), line("replicas", "pg3", "DOWN")]) == all)
        #expect(try orders(others + [line("leader", "pg3", "DOWN"), line("replicas", "pg3", "DRAIN")]) == [])
        #expect(try orders(others) == [], "after the reload")
        #expect(try orders([], status: 0) == [], "HAProxy does not run")
    }

    @Test("clients are waited for while the daemon runs, and no longer than the limit")
    func drained() async throws {
        let folder = try TemporaryDirectory(["busy": ""]).path
        let file = ShellText.quoting("\(folder)/busy")
        let resource = Drained(
            unit: "d.service", isBusy: "[ -e \(file) ] && rm \(file)", ending: "echo ended", limit: 60)
        func changes(_ state: String) throws -> [Change] {
            try resource.changes(
                given: facts(.init(active: state, unitFile: "enabled"), to: UnitStatus("d.service")),
                after: PendingEffects())
        }
        #expect(try changes("inactive").isEmpty)
        let script = try #require(try changes("active").first).script.reveal()
        #expect(try await ShellRun.of("set -e\n" + script) == .silent)
        let endless = Drained(unit: "d.service", isBusy: "true", ending: "echo ended", limit: 0)
        let change = try #require(
            try endless.changes(
                given: facts(.init(active: "active", unitFile: "enabled"), to: UnitStatus("d.service")),
                after: PendingEffects()
            ).first)
        #expect(try await ShellRun.of("set -e\n" + change.script.reveal()).output == "ended\n")
    }
}
