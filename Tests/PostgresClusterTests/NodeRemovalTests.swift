import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Removal of a node")
struct NodeRemovalTests {
    // MARK: The guards

    private static let rows: [(what: String, found: NodeFindings, reasons: [String])] = [
        ("a replica of two", NodeFindings(leader: "pg1", replicas: ["pg2"]), []),
        ("the only replica", NodeFindings(leader: "pg1"), []),
        ("it is gone already", NodeFindings(leader: "pg1", isMember: false, synchronous: 1), []),
        ("nobody leads", NodeFindings(), ["no member leads the cluster"]),
        ("the leader", NodeFindings(leader: "pg3", replicas: ["pg2"], synchronous: 2), ["pg3 leads the cluster"]),
        (
            "the last synchronous one", NodeFindings(leader: "pg1", synchronous: 1),
            ["without pg3 0 replicas are left that run, but 1 must have what is committed"]
        ),
        ("another synchronous one is left", NodeFindings(leader: "pg1", replicas: ["pg2"], synchronous: 1), []),
        (
            "two must be synchronous", NodeFindings(leader: "pg1", replicas: ["pg2"], synchronous: 2),
            ["without pg3 1 replicas are left that run, but 2 must have what is committed"]
        ),
        ("etcd of three", NodeFindings(leader: "pg1", etcdMembers: 3, healthyEtcdMembers: 2), []),
        (
            "etcd of three, one is down", NodeFindings(leader: "pg1", etcdMembers: 3, healthyEtcdMembers: 1),
            ["without pg3 etcd would have 1 healthy of 2 members, which is no quorum"]
        ),
        ("etcd of two", NodeFindings(leader: "pg1", etcdMembers: 2, healthyEtcdMembers: 1), []),
        ("etcd of four", NodeFindings(leader: "pg1", etcdMembers: 4, healthyEtcdMembers: 2), []),
        (
            "the last of etcd", NodeFindings(leader: "pg1", etcdMembers: 1),
            ["without pg3 etcd would have 0 healthy of 0 members, which is no quorum"]
        ),
        (
            "everything at once", NodeFindings(leader: "pg3", etcdMembers: 3),
            [
                "pg3 leads the cluster", "without pg3 etcd would have 0 healthy of 2 members, which is no quorum",
            ]
        ),
    ]

    @Test("is refused for what was found", arguments: rows)
    func guards(what: String, found: NodeFindings, reasons: [String]) {
        let refusals = found.refusals(without: "pg3", scope: "demo")
        #expect(refusals.map(\.reason) == reasons, "\(what)")
        #expect(refusals.allSatisfy { !$0.remedies.isEmpty })
    }

    @Test("the refusal of a leader tells how another one leads")
    func switchover() {
        #expect(
            NodeFindings(leader: "pg3", replicas: ["pg2"]).refusals(without: "pg3", scope: "demo").first?.remedies == [
                "let another member lead: `drover apply switchover --to pg2`"
            ])
    }

    private func model(_ text: String = Sample.text()) throws -> ClusterModel {
        let directory = try TemporaryDirectory(["hosts.yml": text])
        return try ClusterModel(
            Inventory.load(file: directory.path + "/hosts.yml", extraVariables: ["tls_enable=false"]))
    }

    @Test("only a host that has the part can lose it, and not the last one")
    func names() throws {
        let model = try model()
        try model.requireRemovable(member: "pg3", leavesEtcd: true)
        try model.requireRemovable(balancer: "pg2")
        let member = #expect(throws: Diagnostic.self) { try model.requireRemovable(member: "pg4", leavesEtcd: false) }
        #expect(
            member?.description.hasPrefix("the host 'pg4' is not in the group 'master' or 'replica'; ") == true)
        let balancer = #expect(throws: Diagnostic.self) { try model.requireRemovable(balancer: "pg3") }
        #expect(balancer?.description.hasPrefix("the host 'pg3' is not in the group 'balancers'; ") == true)
        let one = try self.model(
            Sample.text(
                Sample.variables + ["cluster_vip: 10.0.0.100"],
                groups: """
                        etcd_cluster:
                          hosts: { pg1: { ansible_host: 10.0.0.1 } }
                        balancers:
                          hosts: { pg1: }
                        master:
                          hosts: { pg1: }
                    """))
        for remove in [
            { try one.requireRemovable(member: "pg1", leavesEtcd: false) },
            { try one.requireRemovable(balancer: "pg1") },
        ] {
            let refusal = #expect(throws: Refusal.self) { try remove() }
            #expect(refusal?.reason.contains("pg1 is the last ") == true)
        }
    }

    // MARK: What is found

    /// The answers of a cluster which pg2 leads, all of whose etcd is healthy.
    private func observations(_ cluster: Cluster, shared: String = "{}") -> Observations {
        var observed = Observations()
        for node in cluster.configuration.members {
            var facts = Facts()
            facts.record(.init(status: 200, body: shared), to: cluster.sharedConfigurationQuestion(at: node))
            facts.record(
                .init(status: 200, body: Recorded.etcdHealthy),
                to: EtcdStatus.health(at: EtcdEndpoint(address: node.address)))
            let members = cluster.configuration.etcd.map {
                #"{"ID":"1","name":"\#($0.name)","peerURLs":["http://\#($0.address):2380"]}"#
            }
            facts.record(
                .init(status: 200, body: #"{"members":[\#(members.joined(separator: ","))]}"#),
                to: EtcdStatus.members(at: EtcdEndpoint(address: node.address)))
            facts.record(
                .init(status: 200, body: Recorded.cluster),
                to: PatroniStatus.cluster(at: ClusterQuestions(configuration: cluster.configuration).api(node)))
            observed[node.host] = facts
        }
        return observed
    }

    @Test(
        "how many replicas must be synchronous is what the members share",
        arguments: [
            ("{}", 0), (#"{"synchronous_mode": false}"#, 0), (#"{"synchronous_mode": true}"#, 1),
            (#"{"synchronous_mode": true, "synchronous_node_count": 2}"#, 2),
        ])
    func findings(shared: String, synchronous: Int) throws {
        let model = try model()
        let cluster = Cluster(model, given: observations(Cluster(model, given: Observations()), shared: shared))
        let found = NodeFindings(of: cluster, without: "pg3", leavesEtcd: true)
        #expect(found.leader == "pg2")
        #expect(found.replicas == ["pg1"])
        #expect(found.synchronous == synchronous)
        #expect(found.etcdMembers == 3)
        #expect(found.healthyEtcdMembers == 2)
        #expect(NodeFindings(of: cluster, without: "pg3", leavesEtcd: false).etcdMembers == 0)
    }

    @Test("while nobody answers, the inventory says whether replicas are synchronous", arguments: [true, false])
    func silent(synchronous: Bool) throws {
        let text = Sample.text(Sample.variables + ["synchronous_mode: \(synchronous)"])
        let cluster = Cluster(try model(text), given: Observations())
        #expect(cluster.synchronousNodes == (synchronous ? 1 : 0))
    }

    @Test("another balancer must serve in its place", arguments: [(true, true), (true, false), (false, true)])
    func balancer(leads: Bool, holds: Bool) throws {
        let model = try model(Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"]))
        var observed = Observations()
        for node in model.configuration.balancers {
            var facts = Facts()
            facts.record(
                .init(status: leads ? 200 : 0, body: Recorded.haproxy), to: HAProxyView.question(statisticsPort: 7000))
            facts.record(
                .init(active: holds ? "active" : "failed", unitFile: "enabled"), to: UnitStatus("keepalived.service"))
            observed[node.host] = facts
        }
        let cluster = Cluster(model, given: observed)
        if leads, holds {
            try cluster.refuseUnlessRemovable(balancer: "pg1")
        } else {
            let refusal = #expect(throws: Refusal.self) { try cluster.refuseUnlessRemovable(balancer: "pg1") }
            #expect(refusal?.reason.hasPrefix("none of the other balancers (pg2) can take over 10.0.0.100") == true)
        }
    }

    // MARK: Without it

    @Test("nothing that the others get names it, whatever the cluster still says")
    func without() throws {
        let model = try model(Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"]))
        let cluster = Cluster(model, given: observations(Cluster(model, given: Observations())))
        let rest = cluster.without("pg1", as: [.member, .etcd, .balancer])
        #expect(rest.membership.members.map(\.name) == ["pg2", "pg3"])
        let host = cluster.configuration.members[1].host
        let resources = try rest.patroni(on: host) + rest.haproxy(on: host) + rest.keepalived(on: host)
        for path in ["/etc/patroni/config.yml", "/etc/haproxy/haproxy.cfg", "/etc/keepalived/keepalived.conf"] {
            let file = try #require(
                resources.compactMap { ($0 as? Declared)?.resource as? File }.first { $0.path == path })
            var facts = Facts()
            for case let question as FileContent in file.questions { facts.record(.absent, to: question) }
            facts.record(nil, to: FileStatus(path))
            let change = try #require(try file.changes(given: facts, after: PendingEffects()).first)
            let words = try #require(change.diff).text.flatMap { $0.split { "+ :/".contains($0) } }
            #expect(words.contains("10.0.0.2"), "\(path)")
            #expect(!words.contains("10.0.0.1"), "\(path)")
        }
        #expect(cluster.without("pg1", as: [.balancer]).membership == cluster.membership)
    }

    // MARK: Resources

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
