import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import Testing

@testable import PostgresCluster

/// A cluster of the sample's inventory that has grown, or whose inventory has.
@Suite("Growing")
struct GrowthTests {
    typealias Change = @Sendable (inout Observations, ClusterConfiguration) -> Void

    private static let text = Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"])
    private static let members = [
        MembershipTests.member("pg1", "leader", address: "10.0.0.1"),
        MembershipTests.member("pg2", address: "10.0.0.2"),
    ]
    private static let running = ClusterState.running(leader: "pg1", withDatabase: ["pg1", "pg2"])

    private static func cluster(
        state: ClusterState = running, members: [Membership.Member] = members, isPaused: Bool = false,
        observed: Change = { _, _ in }
    ) throws -> Cluster {
        try Sample.cluster(
            text, state: state, membership: Membership(members: members, isPaused: isPaused), observed: observed)
    }

    // MARK: Who is new

    private static let newcomers: [(state: ClusterState, newcomers: [String], present: [String])] = [
        (.unknown, ["pg2", "pg3"], []), (.new, ["pg2", "pg3"], []),
        (.running(leader: "pg1", withDatabase: ["pg1"]), ["pg2", "pg3"], ["pg1"]),
        (running, ["pg3"], ["pg2", "pg1"]),
        (.running(leader: "pg2", withDatabase: ["pg1", "pg2", "pg3"]), [], ["pg1", "pg3", "pg2"]),
        (.running(leader: nil, withDatabase: ["pg1", "pg2"]), ["pg3"], []),
        (.running(leader: nil, withDatabase: []), ["pg2", "pg3"], []),
    ]

    @Test("a member without a database is cloned after the others know it", arguments: newcomers)
    func newMembers(state: ClusterState, newcomers: [String], present: [String]) throws {
        let cluster = try Self.cluster(state: state)
        #expect(cluster.newcomers.map(\.name) == newcomers)
        #expect(cluster.present.map(\.name) == present)
    }

    @Test("in a new cluster balancers come first; in a running one they are new until keepalived runs")
    func balancers() throws {
        let observe: Change = { observed, configuration in
            for (node, active) in zip(configuration.balancers, ["active", "inactive"]) {
                observed[node.host].record(
                    .init(active: active, unitFile: "enabled"), to: UnitStatus("keepalived.service"))
            }
        }
        for state in [.unknown, .new] as [ClusterState] {
            let cluster = try Self.cluster(state: state, observed: observe)
            #expect(cluster.firstBalancers.map(\.name) == ["pg1", "pg2"])
            #expect(cluster.presentBalancers.isEmpty && cluster.newBalancers.isEmpty)
        }
        let cluster = try Self.cluster(observed: observe)
        #expect(cluster.firstBalancers.isEmpty)
        #expect(cluster.presentBalancers.map(\.name) == ["pg1"])
        #expect(cluster.newBalancers.map(\.name) == ["pg2"])
    }

    @Test("a member that the inventory lost is told, is let in, and is served")
    func strangers() throws {
        let lost = [
            MembershipTests.member("old", address: "10.0.0.9"), MembershipTests.member("odd", address: "db.example"),
        ]
        let cluster = try Self.cluster(members: Self.members + lost)
        #expect(cluster.strangers.map(\.name) == ["old", "odd"])
        #expect(cluster.peers.map(\.name) == ["pg1", "pg2", "pg3", "old"])
        #expect(cluster.peers.last?.address == "10.0.0.9")
        let notices = try cluster.sharedConfiguration.flatMap { try $0.notices(given: Facts()) }
        #expect(
            notices.first
                == "old (10.0.0.9, running) is a member that the inventory does not name: it stays as it is; "
                + "to take it out, name it again and apply remove-pgnode")
    }

    // MARK: Refusals

    /// The reason of a refusal and what it says of each obstacle; nil when nothing is refused.
    private func refusal(_ body: () throws -> Void) throws -> [String]? {
        do {
            try body()
            return nil
        } catch let refusal as Refusal {
            return [refusal.reason] + refusal.remedies
        }
    }

    private static let reason = "pg3 cannot become a member of the cluster 'demo' now"

    /// The answers of a leader and of a host that fits.
    private static let fit: Change = { observed, configuration in
        let growth = GrowthQuestions(configuration: configuration)
        let (leader, newcomer) = (configuration.members[0].host, configuration.members[2].host)
        let answer = LeaderCapacity.Answer(
            senderLimit: 10, slotLimit: 10, streaming: ["pg2"], senders: 1, slots: ["pg2"], size: 10_485_760,
            version: "15.14")
        observed[leader].record(answer, to: growth.capacity)
        observed[leader].record(.init(library: "glibc 2.36"), to: growth.leaderFitness)
        observed[newcomer].record(.init(library: "glibc 2.36", free: 99_999_999, version: "15.14"), to: growth.fitness)
        observed[newcomer].record([], to: GeneratedLocales())
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var state = GrowthTests.running
        var members = GrowthTests.members
        var isPaused = false
        var observed: @Sendable (inout Observations, ClusterConfiguration) -> Void = { _, _ in }
        var refusal: [String]?
        var testDescription: String { what }
    }

    private static let rows: [Row] = [
        Row(what: "a cluster that is well"),
        Row(what: "nobody was asked yet", state: .unknown, members: []),
        Row(
            what: "no cluster", state: .new, members: [],
            refusal: [
                "there is no cluster 'demo' yet to which anything could be added",
                "make it with `drover apply deploy-cluster`, which includes every host of the inventory",
            ]),
        Row(
            what: "nobody leads", state: .running(leader: nil, withDatabase: ["pg1", "pg2"]), members: [],
            refusal: [reason, "no member leads the cluster"]),
        Row(
            what: "paused", isPaused: true,
            refusal: [reason, "the cluster is paused: end it with `patronictl resume`"]),
        Row(
            what: "somebody does not stream",
            observed: { observed, configuration in
                var answer = LeaderCapacity.Answer()
                (answer.senderLimit, answer.slotLimit, answer.version) = (10, 10, "15.14")
                observed[configuration.members[0].host].record(
                    answer, to: GrowthQuestions(configuration: configuration).capacity)
            }, refusal: [reason, "the member pg2 runs, but does not stream from the leader"]),
        Row(
            what: "a host that does not fit",
            observed: { observed, configuration in
                let fitness = GrowthQuestions(configuration: configuration).fitness
                observed[configuration.members[2].host].record(
                    .init(library: "glibc 2.36", free: 0, version: "15.14"), to: fitness)
            },
            refusal: [
                reason,
                "pg3 has 0 MB free for the data directory, and a tenth more than the leader's data is 11 MB: give it a "
                    + "larger disk",
            ]),
        Row(
            what: "a clone that is on its way",
            observed: { observed, configuration in
                let node = configuration.members[2]
                observed[node.host].record(
                    .init(library: "other"), to: GrowthQuestions(configuration: configuration).fitness)
                let body = #"{"state": "creating replica", "role": "replica", "patroni": {"scope": "demo"}}"#
                observed[node.host].record(
                    .init(status: 503, body: body),
                    to: PatroniStatus.own(at: PatroniAPI(address: node.address, port: 8008)))
            }),
        Row(
            what: "a foreign database", state: .foreign("other"),
            refusal: [
                "what was found is not the cluster 'demo': other", "if the inventory names a wrong host, correct it",
                "if the other database is not needed, move /var/lib/postgresql/15/main away on its host and run this again",
            ]),
    ]

    @Test("a host becomes a member only of a cluster that is well, and when it fits", arguments: rows)
    private func member(row: Row) throws {
        let cluster = try Self.cluster(state: row.state, members: row.members, isPaused: row.isPaused) {
            if !row.members.isEmpty { Self.fit(&$0, $1) }
            row.observed(&$0, $1)
        }
        #expect(try refusal { try cluster.refuseUnlessReady(for: "pg3", joinsEtcd: false) } == row.refusal)
    }

    @Test("deploy-cluster asks the same of those that the inventory gained, and leaves the rest as it is")
    func deploy() throws {
        let cluster = try Self.cluster(isPaused: true) { observed, configuration in
            Self.fit(&observed, configuration)
            observed[configuration.members[2].host].record(
                ["other"], to: GeneratedLocales())
            observed[configuration.members[2].host].record(
                .init(library: "musl", free: 99_999_999), to: GrowthQuestions(configuration: configuration).fitness)
        }
        let refused = try refusal { try cluster.refuseUnlessNewcomersFit() }
        #expect(refused?.first == "pg3 cannot join the cluster 'demo' now")
        #expect(refused?.count == 2)
        #expect(cluster.examination().hosts.map(\.name) == ["pg1", "pg3"])
        let whole = try Self.cluster(state: .running(leader: "pg1", withDatabase: ["pg1", "pg2", "pg3"]))
        #expect(try refusal { try whole.refuseUnlessNewcomersFit() } == nil)
        #expect(whole.examination().hosts.isEmpty)
    }

    @Test("a leader that the inventory does not name keeps everything as it is")
    func strangeLeader() throws {
        let cluster = try Self.cluster(members: [MembershipTests.member("old", "leader")])
        let refused = try refusal { try cluster.refuseUnlessNewOrRunning() }
        #expect(refused?.first == "old leads the cluster 'demo', and the inventory does not name it")
    }

    @Test("a member joins etcd only when etcd is well")
    func etcd() throws {
        let sick: Change = { observed, configuration in
            Self.fit(&observed, configuration)
            let body = #"{"members":[{"name":"pg1","peerURLs":["http://10.0.0.1:2380"]}]}"#
            let (first, address) = (configuration.etcd[0].host, configuration.etcd[0].address)
            observed[first].record(
                .init(status: 200, body: body), to: EtcdStatus.members(at: EtcdEndpoint(address: address)))
            observed[first].record(
                .init(status: 200, body: Recorded.etcdSick), to: EtcdStatus.health(at: EtcdEndpoint(address: address)))
        }
        let cluster = try Self.cluster(observed: sick)
        #expect(
            try refusal { try cluster.refuseUnlessReady(for: "pg3", joinsEtcd: true) }
                == [Self.reason, "etcd on pg1 is not healthy"])
        #expect(try refusal { try cluster.refuseUnlessReady(for: "pg3", joinsEtcd: false) } == nil)
    }

    // MARK: Balancers

    private static let balancerRows: [(what: String, holders: [Int], servesOthers: Bool, refusal: [String])] = [
        ("free, one holder", [0], false, []),
        ("free, no holder", [], false, []),
        (
            "two holders", [0, 1], false,
            ["pg1 and pg2 all hold 10.0.0.100: let VRRP, IP protocol 112, pass between them"]
        ),
        (
            "another HAProxy", [0], true,
            [
                "HAProxy on pg2 already serves something else: /etc/haproxy/haproxy.cfg would be overwritten; move that file "
                    + "away, or choose another host"
            ]
        ),
    ]

    @Test("a host becomes a balancer only when it is free for that", arguments: balancerRows)
    func balancer(
        what: String, holders: [Int], servesOthers: Bool, refusal expected: [String]
    ) throws {
        let cluster = try Self.cluster { observed, configuration in
            let host = configuration.balancers[1].host
            observed[host].record(servesOthers, to: BalancerQuestions(configuration: configuration).servesOthers)
            for (index, node) in configuration.balancers.enumerated() {
                observed[node.host].record(
                    holders.contains(index) ? ["10.0.0.100", node.address] : [node.address], to: HostAddresses())
            }
        }
        let reason = "pg2 cannot become a balancer of the cluster 'demo' now"
        #expect(
            try refusal { try cluster.refuseUnlessReady(forBalancer: "pg2") }
                == (expected.isEmpty ? nil : [reason] + expected), "\(what)")
    }

    // MARK: Names

    private static let names: [(name: String, withEtcd: Bool, isBalancer: Bool, complaint: String?)] = [
        ("pg3", false, false, nil), ("pg3", true, false, nil), ("pg1", false, true, nil),
        ("pg33", false, false, "the inventory names no host 'pg33'; did you mean 'pg3'?"),
        ("other", false, false, "the inventory names no host 'other'; the group 'replica' has pg2, pg3"),
        ("pg1", false, false, "the host 'pg1' is not in the group 'replica'; put it there in the inventory"),
        ("pg3", false, true, "the host 'pg3' is not in the group 'balancers'; put it there in the inventory"),
    ]

    @Test("a name is checked before any contact", arguments: names)
    func name(name: String, withEtcd: Bool, isBalancer: Bool, complaint: String?) throws {
        let model = ClusterModel(
            configuration: try Sample.configuration(),
            templates: try ClusterTemplates(folder: Sample.folder("templates")))
        func check() throws {
            if isBalancer {
                try model.requireBalancer(name)
            } else {
                try model.requireReplica(name, withEtcd: withEtcd)
            }
        }
        guard let complaint else {
            try check()
            return
        }
        let diagnostic = try #require(throws: Diagnostic.self) { try check() }
        #expect(diagnostic.description == complaint)
    }
}
