import Engine
import FoundationEssentials
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Questions of a removal")
struct RemovalFactTests {
    // MARK: Use

    private static func use() throws -> MemberUse { MemberUse(of: try Sample.configuration()) }

    @Test("who uses a member: without the pooler's own, and those who administer it")
    func use() throws {
        let output = """
            question
            backend|2||app|app
            backend|1||pgbouncer|app
            backend|3||me|app
            backend|1|10.0.0.9|app|app
            backend|2|127.0.0.1|me|app
            written|12:34:56
            type|user|database|state|addr|port|local_addr
            C|pgbouncer|pgbouncer|active|unix|6432|unix
            C|app|app|active|10.0.0.1|41000|10.0.0.2
            C|app|app|waiting|10.0.0.1|41001|10.0.0.2
            type|user|database|state|addr|port
            S|app|app|idle|unix|5432
            S|app|app|active|unix|5432
            S|pgbouncer|app|idle|unix|5432
            S|me|app|idle|unix|5432
            S|me|app|idle|127.0.0.1|5432

            """
        let question = try Self.use()
        let answer = try #require(MemberUse.answers(to: [question], from: output)[question])
        #expect(answer.writtenSince == "12:34:56")
        #expect(
            answer.clients == [
                .init(user: "app", database: "app", address: "10.0.0.1"): 2,
                .init(user: "app", database: "app", address: "10.0.0.9"): 1,
                .init(user: "me", database: "app"): 3,
            ])
    }

    @Test("a member that does not run has no users")
    func unused() async throws {
        let question = try Self.use()
        #expect(try MemberUse.answers(to: [question], from: "question\n") == [question: .init()])
        let run = try await ShellRun.of("runuser() { return 1; }\n\(MemberUse.script(for: [question]))")
        #expect(run.output == "question\n")
    }

    @Test("what cannot be read", arguments: ["", "what\n", "question\nwhat\n", "question\nquestion\n"])
    func garbled(output: String) throws {
        let question = try Self.use()
        #expect(throws: UnreadableAnswer.self) { try MemberUse.answers(to: [question], from: output) }
    }

    // MARK: Data

    @Test("where the data is: with its links, without those of what was set aside")
    func places() async throws {
        let directory = try TemporaryDirectory([
            "main/PG_VERSION": "15", "main.removed-20260101T000000Z/PG_VERSION": "15", "main.removed-by-me/x": "",
            "wal/0001": "", "space/PG_15/1": "", "space.removed-20260101T000000Z/PG_15/1": "", "old/reused": "",
            "old.removed-20260101T000000Z/PG_15/1": "", "etcd/member": "",
        ])
        let root = directory.path
        let made = try await ShellRun.of(
            """
            set -e; cd '\(root)'; mkdir main/pg_tblspc main.removed-20260101T000000Z/pg_tblspc empty
            ln -s "$PWD/wal" main/pg_wal; ln -s "$PWD/space" main/pg_tblspc/1; ln -s "$PWD/gone" main/pg_tblspc/2
            ln -s "$PWD/space" main.removed-20260101T000000Z/pg_tblspc/1
            ln -s "$PWD/old" main.removed-20260101T000000Z/pg_tblspc/2
            ln -s "$PWD/etcd" link
            """)
        try #require(made == .silent)
        let questions = ["main", "empty", "none", "link"].map {
            DataPlaces(path: "\(root)/\($0)", user: ProcessInfo.processInfo.userName)
        }
        let run = try await ShellRun.of(DataPlaces.script(for: questions).reveal())
        let answers = try DataPlaces.answers(to: questions, from: run.output)
        func short(_ answer: DataPlaces.Answer?) -> [[String]] {
            let lists = [answer?.places.map(\.path) ?? [], answer?.setAside ?? []]
            return lists.map { $0.map { String($0.dropFirst(root.count + 1)) } }
        }
        #expect(
            short(answers[questions[0]]) == [
                ["space", "wal", "main"],
                [
                    "old.removed-20260101T000000Z", "space.removed-20260101T000000Z", "main.removed-20260101T000000Z",
                ],
            ])
        #expect(short(answers[questions[1]]) == [[], []])
        #expect(short(answers[questions[2]]) == [[], []])
        #expect(short(answers[questions[3]]) == [["etcd", "link"], []])
        #expect(answers[questions[3]]?.places.map(\.isLink) == [false, true])
    }

    /// What is under a link, and why it is no data, if that is so.
    private static let links: [(files: [String], owner: String?, reason: String?)] = [
        (["PG_15_202209061/5/1", "lost+found/x"], nil, nil),
        (["000000010000000000000001", "archive_status/x"], nil, nil),
        (["00000002.history", "0000000A.partial"], nil, nil), ([], nil, nil),
        (["PG_VERSION", "base/1"], nil, "it also holds PG_VERSION, which no tablespace and no WAL has"),
        (["PG_15_202209061/5/1", ".ssh/x"], nil, "it also holds .ssh, which no tablespace and no WAL has"),
        (["PG_15_202209061/5/1"], "another", "it belongs to USER and not to another"),
    ]

    @Test("a link that leads to what is not data of the server", arguments: links)
    func strayLink(files: [String], owner: String?, reason: String?) async throws {
        let directory = try TemporaryDirectory(
            Dictionary(uniqueKeysWithValues: (files.map { "space/\($0)" } + ["main/PG_VERSION"]).map { ($0, "") }))
        let root = directory.path
        let made = try await ShellRun.of(
            "cd '\(root)' && mkdir -p space main/pg_tblspc && ln -s ../../space main/pg_tblspc/1")
        try #require(made == .silent)
        let user = ProcessInfo.processInfo.userName
        let question = DataPlaces(path: "\(root)/main", user: owner ?? user)
        let run = try await ShellRun.of(DataPlaces.script(for: [question]).reveal())
        let answer = try #require(try DataPlaces.answers(to: [question], from: run.output)[question])
        #expect(answer.unfit.map(\.path) == (reason == nil ? [] : ["\(root)/space"]))
        #expect(answer.unfit.map(\.reason) == (reason.map { [$0.replacing("USER", with: user)] } ?? []))
        #expect(answer.places.contains { $0.path == "\(root)/space" } == (reason == nil && !files.isEmpty))
    }

    @Test("a link to a directory of the system", arguments: ["/", "/etc", "/usr/lib", "/var/lib/dpkg", "/root/x/y"])
    func system(path: String) async throws {
        let run = try await ShellRun.of("\(LinkedDirectories.functions)unfit \(path) root")
        #expect(run.output == "it is a directory of the system\n")
    }

    @Test("a mount point is told")
    func mountPoint() throws {
        let question = DataPlaces(path: "/d")
        let answer = try DataPlaces.answers(
            to: [question], from: "question\nmount /srv/a b\nplace /d\naside /srv/a b/removed-1T1Z\n")
        #expect(
            answer[question]
                == .init(
                    places: [.init(path: "/srv/a b", isMountPoint: true), .init(path: "/d")],
                    setAside: ["/srv/a b/removed-1T1Z"]))
        for garbled in ["", "place /d\n", "question\nfoo\n", "question\nplace\n"] {
            #expect(throws: UnreadableAnswer.self) { try DataPlaces.answers(to: [question], from: garbled) }
        }
    }

    @Test("processes of PostgreSQL are found by where they work, and others are not")
    func postmaster() async throws {
        let directory = try TemporaryDirectory(["data/x": "", "other/x": ""])
        let questions = ["data", "link", "other", "none"].map { Postmaster(directory: "\(directory.path)/\($0)") }
        let run = try await ShellRun.of(
            """
            set -e; cd '\(directory.path)'; ln -s data link; cp /bin/sleep postgres
            (cd data && exec ../postgres 60) & first=$!
            (cd other && exec sleep 60) & second=$!
            trap 'kill $first $second' EXIT
            until read -r name </proc/$first/comm && [ "$name" = postgres ]; do :; done
            \(Postmaster.script(for: questions))
            """)
        let answers = try Postmaster.answers(to: questions, from: run.output)
        #expect(questions.map { answers[$0] } == [true, true, false, false], "\(run)")
        #expect(throws: UnreadableAnswer.self) { try Postmaster.answers(to: questions, from: "yes\n") }
    }

    @Test(
        "the cluster of a Patroni by its configuration",
        arguments: [("demo\n", "demo"), ("\"a-1\"\n", "a-1"), ("", nil)])
    func scope(output: String, expected: String?) throws {
        #expect(try ConfiguredScope.answers(to: [ConfiguredScope()], from: output) == [ConfiguredScope(): expected])
    }

    // MARK: All together

    @Test("everything that decides is asked, and what is found is read from the answers")
    func findings() throws {
        let configuration = try Sample.configuration()
        let questions = ClusterQuestions(configuration: configuration)
        var observed = Observations()
        for node in configuration.members {
            var facts = Facts()
            facts.record(.initialised(systemIdentifier: "7301234567890123456"), to: questions.directory)
            facts.record(.init(status: 200, body: Recorded.leader), to: PatroniStatus.own(at: questions.api(node)))
            facts.record(.init(status: 200, body: Recorded.cluster), to: PatroniStatus.cluster(at: questions.api(node)))
            facts.record(
                .init(status: 200, body: Recorded.etcdKey),
                to: EtcdStatus.value(of: "/service/demo/initialize", at: EtcdEndpoint(address: node.address)))
            facts.record("demo", to: ConfiguredScope())
            facts.record(.init(), to: MemberUse(of: configuration))
            facts.record(
                .init(places: [.init(path: configuration.postgres.dataDirectory, isMountPoint: node.name == "pg2")]),
                to: DataPlaces(path: configuration.postgres.dataDirectory))
            facts.record(
                .init(places: [.init(path: "/x")]), to: DataPlaces(path: configuration.etcdDirectory, user: "etcd"))
            // /service/demo/leader and /service/demo/members/pg9
            let own =
                #"{"kvs":[{"key":"L3NlcnZpY2UvZGVtby9sZWFkZXI="},{"key":"L3NlcnZpY2UvZGVtby9tZW1iZXJzL3BnOQ=="}]}"#
            facts.record(
                .init(status: 200, body: own),
                to: EtcdStatus.keys(under: "/service/demo/", at: EtcdEndpoint(address: node.address)))
            for question in EtcdStatus.otherKeys(than: "/service/demo/", at: EtcdEndpoint(address: node.address)) {
                facts.record(.init(status: 200, body: #"{"kvs":[{"key":"L3g="}]}"#), to: question)
            }
            facts.record(
                .init(status: 200, body: Recorded.etcdHealthy),
                to: EtcdStatus.health(at: EtcdEndpoint(address: node.address)))
            facts.record(.init(active: "active", unitFile: "enabled"), to: UnitStatus("etcd.service"))
            facts.record(["10.0.0.1"], to: HostAddresses())
            facts.record(
                .init(status: 200, body: #"{"members":[]}"#),
                to: EtcdStatus.members(at: EtcdEndpoint(address: node.address)))
            facts.record(.init(active: "active", unitFile: "enabled"), to: configuration.balancing.unit)
            facts.record(101, to: KeepalivedPriority())
            facts.record(false, to: KeepalivedAuthentication())
            observed[node.host] = facts
            let asked = FactRequests(
                questions.questions(of: node.host) + configuration.removalQuestions(of: node.host))
            #expect(asked.unanswered(by: facts).isEmpty)
        }
        let found = RemovalFindings(of: configuration, given: observed)
        #expect(found.known == ["pg1", "pg2", "pg3", "pg9"])
        #expect(found.storedSystem == "7301234567890123456")
        #expect(found.members.map { $0.place?.isMountPoint } == [false, true, false])
        #expect(found.members.allSatisfy { $0.servedScope == "demo" && $0.configuredScope == "demo" })
        #expect(found.etcd.own == ["/service/demo/leader", "/service/demo/members/pg9"])
        #expect(found.etcd.nodes[0].others == ["/x", "/x"])
        #expect(found.etcd.isHealthy)
        #expect(!found.etcd.isMute)
        let nothing = RemovalFindings(of: configuration, given: Observations())
        #expect(nothing.identity == nil)
        #expect(nothing.etcd.own == [])
    }

    @Test("the keys besides a cluster's are those before and after its directory")
    func otherKeys() {
        let questions = EtcdStatus.otherKeys(than: "/service/demo/", at: EtcdEndpoint(address: "10.0.0.1"))
        let bodies = HTTPResponse.script(for: questions)
        // \0 to /service/demo/, and /service/demo0 to \0.
        #expect(bodies.reveal().contains(#""key":"AA==","range_end":"L3NlcnZpY2UvZGVtby8=""#))
        #expect(bodies.reveal().contains(#""key":"L3NlcnZpY2UvZGVtbzA=","range_end":"AA==""#))
    }
}
