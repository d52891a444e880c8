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
}
