import Testing

@testable import PostgresCluster

@Suite("Health of the members")
struct MemberFindingsTests {
    private typealias Ailing = @Sendable (inout MemberHealth.Answer, inout MemberHealth.Answer) -> Void

    private static let settings = [
        "fsync": "on", "full_page_writes": "on", "autovacuum": "on", "data_checksums": "on", "wal_log_hints": "on",
        "archive_mode": "off", "archive_command": "(disabled)", "archive_library": "", "synchronous_standby_names": "",
        "synchronous_commit": "on", "max_connections": "100",
    ]

    private static let rows: [(what: String, change: Ailing, findings: [String])] = [
        ("all is well", { _, _ in }, []),
        ("nobody answers", { leader, replica in (leader, replica) = (.init(), .init()) }, []),
        (
            "no fsync",
            { leader, replica in
                leader.settings["fsync"] = "off"
                replica.settings["fsync"] = "off"
            }, ["critical: fsync is off on pg1, pg2: a host that loses its power loses the database"]
        ),
        (
            "no full pages", { leader, _ in leader.settings["full_page_writes"] = "off" },
            ["critical: full_page_writes is off on pg1: a host that loses its power may leave torn pages"]
        ),
        (
            "no autovacuum", { leader, _ in leader.settings["autovacuum"] = "off" },
            ["warning: autovacuum is off on pg1: tables grow, and transaction numbers run out"]
        ),
        (
            "no synchronous commit", { leader, _ in leader.settings["synchronous_commit"] = "off" },
            ["warning: synchronous_commit is off on pg1: what clients are told is written may be lost by a crash"]
        ),
        (
            "nothing to rewind by",
            { leader, _ in
                leader.settings["data_checksums"] = "off"
                leader.settings["wal_log_hints"] = "off"
            },
            [
                "warning: neither data_checksums nor wal_log_hints is on on pg1: a leader that comes back after a failover "
                    + "cannot be rewound, and is cloned anew"
            ]
        ),
        ("hints are enough", { leader, _ in leader.settings["data_checksums"] = "off" }, []),
        (
            "wrong checksums", { _, replica in replica.checksumFailures = 2 },
            ["critical: 2 pages with wrong checksums were read on pg2"]
        ),
        (
            "trust", { leader, _ in leader.trust = ["host all all 0.0.0.0", "host x y 10.0.0.0"] },
            [
                "critical: pg1 lets in from elsewhere without a password: 'host all all 0.0.0.0', 'host x y 10.0.0.0'"
            ]
        ),
        (
            "an archive of nothing",
            { leader, replica in
                leader.settings["archive_mode"] = "on"
                leader.settings["archive_command"] = "/bin/true"
                replica.settings = leader.settings
            }, ["critical: archive_command is '/bin/true' on pg1: it archives nothing, and says that it has"]
        ),
        (
            "no command",
            { leader, _ in leader.settings["archive_mode"] = "always" },
            [
                "critical: archive_mode is on on pg1 without an archive_command: the log is kept until the disk is full"
            ]
        ),
        (
            "a library",
            { leader, _ in
                leader.settings["archive_mode"] = "on"
                leader.settings["archive_library"] = "basic_archive"
            }, []
        ),
        (
            "whatever connects", { leader, _ in leader.settings["synchronous_standby_names"] = "*" },
            [
                "warning: synchronous_standby_names is '*' on pg1: writes wait for whatever connects, and hang when that goes"
            ]
        ),
        (
            "slots",
            { leader, _ in
                leader.slots = [
                    .init(name: "lost", isActive: true, retained: 0, state: "lost"),
                    .init(name: "near", isActive: false, retained: 9, state: "unreserved"),
                    .init(name: "idle", isActive: false, retained: 1_073_741_824, state: "reserved"),
                    .init(name: "old", isActive: false, retained: 1_073_741_825, state: "extended"),
                    .init(name: "slow", isActive: true, retained: 11_000_000_000, state: "extended"),
                ]
            },
            [
                "critical: the slot lost on pg1 has lost what it waits for",
                "critical: the slot near on pg1 is about to lose what it waits for",
                "warning: nobody uses the slot old on pg1, and 1024 MB of the log are kept for it",
                "warning: who uses the slot slow on pg1 is far behind: 10490 MB of the log are kept for it",
            ]
        ),
        (
            "wraparound",
            { leader, replica in
                leader.ages = [
                    "app": .init(transactions: 1_100_000_000, groups: 1_700_000_000),
                    "young": .init(transactions: 200_000_000, groups: 0),
                ]
                replica.ages = leader.ages
            },
            [
                "warning: 51 % of the transaction numbers of the database app are used up on pg1",
                "critical: 79 % of the multixact numbers of the database app are used up on pg1",
            ]
        ),
        (
            "sequences", { leader, _ in leader.sequences = ["app.public.a": 76, "app.public.b": 95] },
            [
                "warning: 76 % of the numbers of the sequence app.public.a are used up",
                "critical: 95 % of the numbers of the sequence app.public.b are used up",
            ]
        ),
        (
            "connections", { _, replica in replica.connections = 90 },
            ["warning: 90 of 100 connections of pg2 are in use"]
        ),
        (
            "the pooler's queue", { leader, _ in leader.waiting = .init(clients: 7, seconds: 3) },
            ["warning: 7 clients of the pooler on pg1 wait for a connection, one for 3 s"]
        ),
        (
            "no pooler",
            { leader, replica in
                leader.hasPooler = false
                replica.hasPooler = false
            }, ["critical: the pooler on pg1 does not answer", "warning: the pooler on pg2 does not answer"]
        ),
        ("a queue that moves", { leader, _ in leader.waiting = .init(clients: 7, seconds: 0) }, []),
        (
            "an old transaction", { leader, _ in leader.transactions = ["app in app": 7200] },
            [
                "warning: a transaction of app in app has been open for 120 minutes on pg1: nothing that was deleted since is "
                    + "cleared away"
            ]
        ),
    ]

    @Test("finds what is not as it should be", arguments: rows.indices)
    func findings(index: Int) {
        let row = Self.rows[index]
        var leader = MemberHealth.Answer(isRunning: true, settings: Self.settings, hasPooler: true)
        var replica = MemberHealth.Answer(isRunning: true, isInRecovery: true, settings: Self.settings, hasPooler: true)
        row.change(&leader, &replica)
        let findings = MemberFindings(members: [("pg1", leader), ("pg2", replica)], isSynchronous: false).all
        #expect(findings.map { "\($0.severity): \($0.text)" } == row.findings, "\(row.what)")
        #expect(findings.allSatisfy { !$0.remedy.isEmpty })
    }

    @Test("where Patroni says '*', nobody may be written to synchronously")
    func strict() {
        let leader = MemberHealth.Answer(isRunning: true, settings: ["synchronous_standby_names": "*"], hasPooler: true)
        let findings = MemberFindings(members: [("pg1", leader)], isSynchronous: true).all
        #expect(findings.map(\.severity) == [.critical])
    }

    @Test(
        "commands that archive nothing",
        arguments: [
            ("/bin/true", true), ("true", true), (":", true), ("cd .", true), ("/bin/date", true), ("exit 0", true),
            ("", false), ("pgbackrest --stanza=demo archive-push %p", false), ("test ! -f /a/%f && cp %p /a/%f", false),
        ])
    func archivesNothing(command: String, isSo: Bool) {
        #expect(MemberFindings.archivesNothing(command) == isSo)
    }

    @Test("reads what server and pooler tell")
    func answers() throws {
        let question = MemberHealth(of: try Sample.configuration())
        let output = """
            question
            running|f
            setting|archive_command|a | b
            slot|t|reserved|16|pg2
            slot|f||0|a|b
            age|7|8|app
            checksums|1
            connections|12
            transaction|3600|app in app
            transaction|7200|app in app
            trust|host all all 0.0.0.0
            sequence|80|app.public.s
            type|user|database|state|addr|port|local_addr|local_port|connect_time|request_time|wait|wait_us|x|y|z|u|v
            C|app|app|active|10.0.0.9|5|10.0.0.1|6432|t|t|9|0|0|x|||
            C|app|app|waiting|10.0.0.9|5|10.0.0.1|6432|t|t|2|0|0|x|||
            C|app|app|waiting|10.0.0.9|5|10.0.0.1|6432|t|t|4|0|0|x|||

            """
        var expected = MemberHealth.Answer(
            isRunning: true, settings: ["archive_command": "a | b"], ages: ["app": .init(transactions: 7, groups: 8)])
        expected.slots = [
            .init(name: "pg2", isActive: true, retained: 16, state: "reserved"),
            .init(name: "a|b", isActive: false, retained: 0, state: ""),
        ]
        expected.checksumFailures = 1
        expected.connections = 12
        expected.transactions = ["app in app": 7200]
        expected.trust = ["host all all 0.0.0.0"]
        expected.sequences = ["app.public.s": 80]
        expected.hasPooler = true
        expected.waiting = .init(clients: 2, seconds: 4)
        #expect(try MemberHealth.answers(to: [question], from: output)[question] == expected)
        #expect(try MemberHealth.answers(to: [question], from: "question\n")[question] == .init())
        for output in ["running|t\n", "question\nwhat|1\n", ""] {
            #expect(throws: (any Error).self) { try MemberHealth.answers(to: [question], from: output) }
        }
    }

    @Test("reads what etcd counts")
    func etcd() throws {
        let question = EtcdMetrics(endpoint: EtcdEndpoint(address: "10.0.0.1"))
        let output = """
            question
            etcd_mvcc_db_total_size_in_bytes 20480
            etcd_server_leader_changes_seen_total 12
            etcd_server_quota_backend_bytes 2.147483648e+09
            process_start_time_seconds 1.6e+09
            now 1600003600

            """
        #expect(
            try EtcdMetrics.answers(to: [question], from: output)[question]
                == .init(size: 20_480, quota: 2_147_483_648, leaderChanges: 12, uptime: 3600))
        #expect(try EtcdMetrics.answers(to: [question], from: "question\nnow 5\n")[question] == .init())
        #expect(throws: (any Error).self) { try EtcdMetrics.answers(to: [question], from: "what\n") }
    }
}
