import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("A handover")
struct HandoverTests {
    // MARK: Who may lead

    private static func membership(
        state: String = "running", timeline: Int? = 3, lag: Int? = 0, tags: Set<String> = [], isPaused: Bool = false
    ) -> Membership {
        Membership(
            members: [
                .init(name: "pg1", address: "10.0.0.1", role: "leader", state: "running", timeline: 3, lag: nil),
                .init(
                    name: "pg2", address: "10.0.0.2", role: "replica", state: state, timeline: timeline, lag: lag,
                    tags: tags),
            ], isPaused: isPaused)
    }

    private static func succession(
        of name: String = "pg2", _ membership: Membership = membership(), isSynchronous: Bool = false,
        isStreaming: Bool = true, hasPooler: Bool = true
    ) -> Succession {
        Succession(
            name: name, membership: membership, maximumLag: 100, isSynchronous: isSynchronous, isStreaming: isStreaming,
            hasPooler: hasPooler)
    }

    private static let successions: [(succession: Succession, obstacles: [String])] = [
        (succession(), []),
        (succession(membership(lag: 100)), []),
        (succession(membership(tags: ["nosync", "clonefrom"])), []),
        (succession(Membership()), ["no member leads the cluster: bring it back with `drover apply deploy-cluster`"]),
        (succession(of: "pg9"), ["pg9 is no member of the cluster: make it one with `drover apply add-pgnode`"]),
        (
            succession(membership(isPaused: true)),
            ["the cluster is paused: end it with `patronictl resume`"]
        ),
        (
            succession(membership(state: "stopped", lag: nil), isStreaming: false, hasPooler: false),
            [
                "pg2 is stopped: bring it back with `drover apply deploy-cluster`",
                "PgBouncer does not run on pg2: start it with `drover apply deploy-cluster`",
            ]
        ),
        (
            succession(membership(timeline: 2, lag: 101), isStreaming: false),
            [
                "pg2 does not stream from the leader: `drover status` tells more",
                "pg2 is on timeline 2, the leader on 3: wait until it has followed",
                "pg2 is 101 bytes behind the leader, and 100 are allowed: wait until it has caught up",
            ]
        ),
        (succession(membership(state: "stopped", lag: nil)), []),
        (
            succession(membership(lag: nil), isStreaming: false),
            [
                "pg2 does not stream from the leader: `drover status` tells more",
                "pg2 is an unknown distance behind the leader, and 100 are allowed: wait until it has caught up",
            ]
        ),
        (
            succession(membership(tags: ["nofailover", "nosync"]), isSynchronous: true),
            [
                "pg2 has the tag nofailover: take it out of its patroni_tags, or choose another member",
                "pg2 has the tag nosync, and only a synchronous replica has everything: choose another member",
            ]
        ),
    ]

    @Test("is refused for everything that stands in its way", arguments: successions)
    private func mayLead(row: (succession: Succession, obstacles: [String])) {
        #expect(row.succession.obstacles == row.obstacles)
    }

    // MARK: Parameters

    private static let values: [(running: RunningValue, declared: String, isSame: Bool)] = [
        (.init("200", kind: .integer), "200", true), (.init("200", kind: .integer), "201", false),
        (.init("8192", kind: .integer, unit: "8kB"), "64MB", true),
        (.init("8192", kind: .integer, unit: "8kB"), "65536kB", true),
        (.init("8192", kind: .integer, unit: "8kB"), "8192", true),
        (.init("8192", kind: .integer, unit: "8kB"), "64 MB", true),
        (.init("8192", kind: .integer, unit: "8kB"), "1GB", false),
        (.init("8192", kind: .integer, unit: "8kB"), "64s", false),
        (.init("1800", kind: .integer, unit: "s"), "30min", true),
        (.init("-1", kind: .integer, unit: "8kB"), "-1", true),
        (.init("0.5", kind: .real), "0.5", true), (.init("0.5", kind: .real), ".50", true),
        (.init("on", kind: .bool), "yes", true), (.init("on", kind: .bool), "1", true),
        (.init("off", kind: .bool), "false", true), (.init("off", kind: .bool), "on", false),
        (.init("replica", kind: .choice), "Replica", true), (.init("replica", kind: .choice), "logical", false),
        (.init("on", kind: .choice), "true", true), (.init("try", kind: .choice), "try", true),
        (.init("a, b", kind: .string), "a, b", true), (.init("a, b", kind: .string), "a,b", false),
    ]

    @Test("values of parameters are compared as PostgreSQL reads them", arguments: values)
    private func compares(row: (running: RunningValue, declared: String, isSame: Bool)) {
        #expect(row.running.equals(row.declared) == row.isSame)
    }

    private struct Restart: Sendable {
        var declared: [String: String]
        var isPending = false
        /// Which shares of the work restart the member.
        var atOnce = false
        var afterLeader = false
        var all = false
    }

    /// It runs with max_connections = 100, max_worker_processes = 8 and shared_buffers = 64MB.
    private static let restarts = [
        Restart(declared: ["max_connections": "100", "work_mem": "5MB"]),
        Restart(declared: ["max_connections": "120"], atOnce: true, all: true),
        Restart(declared: ["max_connections": "80"], afterLeader: true, all: true),
        Restart(declared: ["shared_buffers": "128MB"], atOnce: true, all: true),
        Restart(declared: ["shared_buffers": "128MB", "max_connections": "80"], afterLeader: true, all: true),
        Restart(
            declared: ["max_worker_processes": "9", "max_connections": "80"], atOnce: true, afterLeader: true, all: true
        ),
        Restart(declared: [:], isPending: true, atOnce: true, all: true),
    ]

    @Test("a replica takes a smaller limit after the leader, everything else before", arguments: restarts)
    private func order(row: Restart) throws {
        let catalog = PostgresCatalog(of: try Sample.configuration(), databases: [])
        let parameters = ParametersInForce(
            declared: row.declared.map { .init(name: $0.key, value: $0.value) }, server: catalog,
            own: PatroniStatus.own(at: PatroniAPI(address: "10.0.0.2", port: 8008)))
        var facts = Facts()
        facts.record(
            [
                "max_connections": RunningValue("100", kind: .integer),
                "max_worker_processes": RunningValue("8", kind: .integer),
                "shared_buffers": RunningValue("8192", kind: .integer, unit: "8kB"),
            ], to: parameters.running)
        let pending = row.isPending ? #""pending_restart": true, "# : ""
        facts.record(
            .init(status: 200, body: #"{\#(pending)"role": "replica", "patroni": {"scope": "demo"}}"#),
            to: parameters.own)
        for (share, isRestarted) in [
            (Restarted.Share.atOnce, row.atOnce), (.afterLeader, row.afterLeader), (.all, row.all),
        ] {
            let resource = Restarted(
                member: Peer(name: "pg2", address: "10.0.0.2"), parameters: parameters, share: share,
                api: PatroniAPI(address: "10.0.0.2", port: 8008),
                catalog: catalog, dataDirectory: "/data", binaryDirectory: "/bin")
            let changes = try resource.changes(given: facts, after: PendingEffects())
            #expect(changes.map(\.summary) == (isRestarted ? ["restart PostgreSQL on pg2"] : []), "\(share)")
        }
    }

    // MARK: The way of clients

    private static let view = HTTPResponse("http://127.0.0.1:7000/;csv")
    private static let passage = Passage(
        listener: "leader", view: view, members: ["pg1", "pg2", "pg3"], from: "pg1", to: "pg2",
        api: PatroniAPI(address: "10.0.0.2", port: 8008))

    private static func facts(_ states: String...) -> Facts {
        var facts = Facts()
        let rows = zip(passage.members, states).map { "leader,\($0),,,0,,,,,,,,,,,,,\($1),1\n" }
        facts.record(.init(status: 200, body: rows.joined()), to: view)
        return facts
    }

    @Test("a balancer keeps to the old leader, then leads to the new one, and is as it was")
    func balancer() throws {
        let steady = SteadyBalancer(passage: Self.passage) { facts in
            facts.ifKnown(Self.view).map { Self.passage.status(of: "pg2", in: $0) == "UP" } ?? false
        }
        let passed = PassedClients(passage: Self.passage, willBeSteady: false)
        let course: [(facts: Facts, keeps: Bool, leads: Bool)] = [
            (Self.facts("DOWN", "DOWN", "DOWN"), false, true),
            (Self.facts("UP", "DOWN", "DOWN"), true, true),
            (Self.facts("UP 2/3", "DOWN", "DOWN"), true, true),
            (Self.facts("no check", "DOWN", "MAINT"), true, true),
            (Self.facts("no check", "MAINT", "MAINT"), false, true),
            (Self.facts("DRAIN", "UP", "DOWN"), false, false),
            (Self.facts("DOWN", "UP", "DOWN"), false, false),
        ]
        for (facts, keeps, leads) in course {
            #expect(try !steady.changes(given: facts, after: PendingEffects()).isEmpty == keeps)
            #expect(try !passed.changes(given: facts, after: PendingEffects()).isEmpty == leads)
        }
        let script = try #require(
            try passed.changes(given: Self.facts("no check", "MAINT", "MAINT"), after: PendingEffects()).first?.script
                .reveal())
        #expect(script.contains("set server leader/pg1 state drain"))
        #expect(script.contains("set server leader/pg3 state ready; set server leader/pg3 health down"))
        #expect(script.contains("systemd-run --quiet --collect --unit=drover-handover "))
    }

    // MARK: The restart of Patroni on the leader

    /// What is on the leader, whose Patroni needs the correction.
    ///
    /// - Parameter isWritten: whether it is there, and Patroni was started with it.
    private static func updates(isWritten: Bool) throws -> [Play] {
        let membership = Self.membership()
        let state = ClusterState.running(leader: "pg1", withDatabase: ["pg1", "pg2", "pg3"])
        let plain = try Sample.cluster(state: state, membership: membership)
        let leader = plain.leader
        var facts = Facts()
        for question in try (plain.patroniStart(of: leader) + [plain.patroniService(of: leader)]).flatMap(\.questions) {
            switch question {
            case let file as FileStatus:
                let mode: FileMode = file.path.hasSuffix(".d") || file.path == CorrectedPatroni.path ? 0o755 : 0o644
                facts.record(
                    isWritten
                        ? .init(
                            kind: file.path.hasSuffix(".d") ? .directory : .file, mode: mode, owner: "root",
                            group: "root", modified: Timestamp(nanoseconds: 1)) : nil, to: file)
            case let content as FileContent: facts.record(isWritten ? .asExpected : .absent, to: content)
            case let package as PackageStatus: facts.record(.init(version: "3.0.2-1"), to: package)
            case let unit as UnitStatus:
                facts.record(
                    .init(
                        active: "active", unitFile: "enabled", started: Timestamp(nanoseconds: 2),
                        changedState: Timestamp(nanoseconds: 2)), to: unit)
            default: Issue.record("\(question)")
            }
        }
        facts.record(
            .init(status: 200, body: Recorded.leader),
            to: PatroniStatus.own(at: PatroniAPI(address: leader.address, port: 8008)))
        return try Sample.cluster(state: state, membership: membership) { observed, _ in observed[leader.host] = facts }
            .updates
    }

    @Test("balancers keep to the leader while its Patroni is restarted, and only then")
    func updates() throws {
        for isWritten in [false, true] {
            let plays = try Self.updates(isWritten: isWritten)
            #expect(
                plays.map(\.name) == [
                    "Bring the members up to date", "Keep clients at the leader", "Bring the leader up to date",
                    "Let balancers check the leader again",
                ])
            #expect(plays[0].hosts.map(\.name) == ["pg2", "pg3"])
            #expect(plays[2].hosts.map(\.name) == ["pg1"])
            for play in [plays[1], plays[3]] {
                #expect(try play.hosts.allSatisfy { try play.resources(on: $0).isEmpty == isWritten })
            }
        }
    }
}
