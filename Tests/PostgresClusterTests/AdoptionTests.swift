import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("A server that stands alone")
struct AdoptionTests {
    private typealias Answer = ExistingServer.Answer

    private static func setting(
        _ running: String, _ kind: String = "integer", unit: String? = nil, file: String? = nil, bySystem: Bool = false,
        pending: Bool = false
    ) -> Answer.Setting {
        Answer.Setting(
            running: running, unit: unit, kind: kind, file: file, isBySystem: bySystem, isPending: pending)
    }

    /// What Debian's tools make, with a few settings of somebody's own.
    private static let plain: Answer = {
        var answer = Answer()
        answer.listening = .init(port: 5432, socketDirectory: "/var/run/postgresql")
        answer.unit = "postgresql@15-main.service"
        answer.identity = .init(
            version: "15.14", configFile: "/etc/postgresql/15/main/postgresql.conf",
            identFile: "/etc/postgresql/15/main/pg_ident.conf")
        answer.settings = [
            "max_connections": setting("300", file: "300"), "max_wal_senders": setting("4", file: "4"),
            "wal_level": setting("minimal", "enum", file: "minimal"),
            "wal_keep_size": setting("2048", unit: "MB", file: "2GB"),
            "wal_log_hints": setting("off", "bool"), "listen_addresses": setting("*", "string", file: "*"),
            "work_mem": setting("7168", unit: "kB", file: "7MB", bySystem: true),
            "shared_buffers": setting("16384", unit: "8kB", file: "128MB", bySystem: true),
            "external_pid_file": setting("/run/15-main.pid", "string", file: "/run/15-main.pid"),
            "log_line_prefix": setting("it's \\ %m", "string", file: "it's \\ %m"),
            "archive_command": setting("cp %p /far", "string", file: "cp %p /far"),
            "ssl_cert_file": setting("/etc/own.pem", "string", file: "/etc/own.pem"),
            "recovery_target_timeline": setting("latest", "string", file: "latest"),
        ]
        answer.accessFile = "# a comment\nlocal   all  postgres   peer\nhost all all 10.0.0.0/8 md5 # old\n"
        return answer
    }()

    private static let variables =
        Sample.variables + ["postgresql_parameters: [{ option: shared_buffers, value: 64MB }]"]

    private static func cluster(
        _ variables: [String] = variables, of server: Answer = plain, state: ClusterState? = nil,
        lacking: [String] = [],
        packages: Set<String> = []
    ) throws -> Cluster {
        let text = Sample.text(variables).replacing(
            "hosts: { pg1: }", with: "hosts: { pg1: { postgresql_exists: true } }")
        return try Sample.cluster(text, state: state ?? .running(leader: nil, withDatabase: ["pg1"])) {
            observed, configuration in
            let host = configuration.members[0].host
            observed[host].record(server, to: Adoption.question(in: configuration))
            observed[host].record(packages, to: ExtensionPackages(version: 15))
            observed[host].record(.absent, to: PackageStatus("patroni"))
            let growth = GrowthQuestions(configuration: configuration)
            var capacity = LeaderCapacity.Answer()
            capacity.version = "15.14"
            capacity.size = 1000
            observed[host].record(capacity, to: growth.capacity)
            observed[host].record(.init(), to: growth.leaderFitness)
            for node in configuration.members.dropFirst() {
                observed[node.host].record(.init(free: 2000), to: growth.fitness)
                observed[node.host].record([], to: GeneratedLocales())
                for path in lacking { observed[node.host].record(nil, to: FileStatus(path)) }
            }
        }
    }

    /// That of a server that Debian's tools have made.
    static func adoption() throws -> Adoption { try #require(try cluster().adoption) }

    @Test("keeps its settings where the replicas have them too")
    func settings() throws {
        let adoption = try #require(try Self.cluster().adoption)
        #expect(
            adoption.settings.base.reveal().linesOfText.dropFirst() == [
                "archive_command = 'cp %p /far'", "log_line_prefix = 'it''s \\\\ %m'", "shared_buffers = '128MB'",
                "ssl_cert_file = '/etc/own.pem'", "work_mem = '7MB'",
            ])
        #expect(!adoption.settings.base.description.contains("/far"))
        #expect(
            adoption.settings.shared.map { "\($0.name)=\($0.value)" } == [
                "max_connections=300", "wal_keep_size=2048MB",
            ])
        #expect(adoption.settings.overriding == ["shared_buffers"])
        #expect(
            adoption.settings.changes == [
                "listen_addresses * → 10.0.0.1,127.0.0.1", "max_wal_senders 4 → 10", "shared_buffers 128MB → 64MB",
                "wal_level minimal → replica", "wal_log_hints off → on",
            ])
        #expect(adoption.droppedRules == ["host all all 10.0.0.0/8 md5"])
    }

    @Test("what Patroni begins with has what the members share: of the inventory, and of the server")
    func shared() throws {
        let adoption = try #require(try Self.cluster().adoption)
        let resources = try adoption.preparation
        let text = try GoldenTests.content(of: "/var/lib/postgresql/15/main/patroni.dynamic.json", in: resources)
        #expect(
            text == #"{"check_timeline":true,"failsafe_mode":true,"loop_wait":10,"master_start_timeout":300,"#
                + #""maximum_lag_on_failover":1048576,"postgresql":{"parameters":{"max_connections":"300","#
                + #""wal_keep_size":"2048MB"},"use_pg_rewind":true,"use_slots":true},"retry_timeout":10,"#
                + #""synchronous_mode":false,"synchronous_mode_strict":false,"synchronous_node_count":1,"ttl":30}"#)
    }

    private struct Row: Sendable {
        var what: String
        var variables = AdoptionTests.variables
        var state: ClusterState?
        var change: @Sendable (inout Answer) -> Void = { _ in }
        /// What the complaint begins with; nil for none.
        var expected: String?
    }

    private static let rows = [
        Row(what: "all is well"),
        Row(what: "no database", state: .new, expected: "postgresql_exists is set for pg1, and there is no database"),
        Row(
            what: "stopped", change: { $0 = .init() },
            expected: "the PostgreSQL of pg1 does not run, so that its settings cannot be seen: start it"),
        Row(
            what: "nobody let in",
            change: {
                $0.identity = nil
                $0.complaint = "psql: error: no"
            }, expected: "pg1: psql is not let in as postgres over the socket"),
        Row(what: "a standby", change: { $0.identity?.inRecovery = true }, expected: "pg1 is a standby"),
        Row(what: "another version", change: { $0.identity?.version = "13.9" }, expected: "pg1 runs PostgreSQL 13.9"),
        Row(
            what: "another port",
            change: { $0.listening = .init(port: 5433, socketDirectory: "/var/run/postgresql") },
            expected: "pg1 listens at port 5433: set postgresql_port: 5433"),
        Row(
            what: "another socket", change: { $0.listening = .init(port: 5432, socketDirectory: "/tmp") },
            expected: "pg1 has its socket in '/tmp'"),
        Row(what: "slots", change: { $0.slots = ["a", "pg2"] }, expected: "pg1 has the replication slots a, which"),
        Row(
            what: "a slot that is wanted", variables: variables + ["patroni_slots: [{ slot: a, type: physical }]"],
            change: { $0.slots = ["a"] }),
        Row(
            what: "strict", variables: variables + ["synchronous_mode: true", "synchronous_mode_strict: true"],
            expected: "with synchronous_mode_strict nobody could write"),
        Row(
            what: "too few senders",
            variables: Sample.variables + ["postgresql_parameters: [{ option: max_wal_senders, value: 1 }]"],
            expected: "cloning needs 2 senders of the log in all, and max_wal_senders is 1"),
        Row(
            what: "Patroni's already",
            change: { $0.identity?.configFile = "/var/lib/postgresql/15/main/postgresql.conf" }),
    ]

    @Test("is refused when it cannot lead", arguments: rows)
    private func refused(row: Row) throws {
        var server = Self.plain
        row.change(&server)
        var cluster = try Self.cluster(row.variables, of: server, state: row.state)
        if row.what == "Patroni's already" {
            #expect(cluster.adoption == nil)
            cluster = try Self.cluster(of: server, state: .running(leader: "pg1", withDatabase: ["pg1"]))
        }
        guard let expected = row.expected else { return try cluster.refuseUnfitServer() }
        let refusal = try #require(throws: Refusal.self) { try cluster.refuseUnfitServer() }
        #expect(refusal.remedies.contains { $0.hasPrefix(expected) }, "\(refusal)")
    }

    @Test("a database for which nobody has asked becomes no leader")
    func stray() throws {
        let cluster = try Sample.cluster(state: .running(leader: nil, withDatabase: ["pg2"])) {
            observed, configuration in
            observed[configuration.members[1].host].record(.absent, to: PackageStatus("patroni"))
        }
        let refusal = try #require(throws: Refusal.self) { try cluster.refuseUnfitServer() }
        #expect(refusal.description.contains("pg2 has a database in /var/lib/postgresql/15/main, and no Patroni"))
    }

    @Test("what would not be as before is told by a check that can be left out")
    func findings() throws {
        var server = Self.plain
        server.oldPasswords = ["app", "postgres"]
        server.settings["shared_buffers"]?.isPending = true
        server.settings["work_mem"] = Self.setting("7168", unit: "kB", file: "8MB", pending: true)
        server.standbys = ["10.0.0.9 (walreceiver)"]
        server.tablespaces = ["/mnt/fast"]
        let cluster = try Self.cluster(
            of: server, lacking: ["/etc/own.pem", "/mnt/fast"], packages: ["postgresql-15-cron"])
        let texts = cluster.preflight(waiving: []).standAlone.map { "\($0.host ?? ""): \($0.text)" }
        let beginnings = [
            "pg1: the passwords of app are kept as MD5", "pg1: work_mem would change with the restart",
            "pg1: 10.0.0.9 (walreceiver) streams from it", "pg1: it has extensions of postgresql-15-cron",
            "pg2: /etc/own.pem, /mnt/fast of pg1 must be there too", "pg3: /etc/own.pem, /mnt/fast of pg1",
        ]
        #expect(texts.count == beginnings.count)
        for (text, beginning) in zip(texts, beginnings) { #expect(text.hasPrefix(beginning)) }
        #expect(try Self.cluster().preflight(waiving: []).standAlone == [])
    }

    @Test("is restarted once: until it reads Patroni's configuration")
    func takenOver() throws {
        let cluster = try Self.cluster()
        let taken = TakenOver(adoption: try #require(cluster.adoption))
        let question = Adoption.question(in: cluster.configuration)
        var facts = Facts()
        facts.record(Self.plain, to: question)
        let change = try #require(try taken.changes(given: facts, after: .init()).first)
        #expect(change.script.reveal().contains(#"ALTER SYSTEM RESET "shared_buffers";"#))
        var server = Self.plain
        server.identity?.configFile = "/var/lib/postgresql/15/main/postgresql.conf"
        facts.record(server, to: question)
        #expect(try taken.changes(given: facts, after: .init()) == [])
        // While it is being restarted, by whomever, Patroni is waited for.
        facts.record(.init(), to: question)
        #expect(try taken.changes(given: facts, after: .init()) == [])
    }

    @Test("is told by what the host prints")
    func fact() async throws {
        let fact = ExistingServer(directory: "/nowhere", binaryDirectory: "/usr/bin", names: ["work_mem"])
        let output = """
            question
            listening 5432 /var/run/postgresql
            unit postgresql@15-main.service
            identity {"inRecovery" : false, "version" : "15.14", "hasChecksums" : false, "configFile" : "/c", "identFile" : "/i"}
            setting {"work_mem" : {"running" : "4096", "unit" : "kB", "kind" : "integer", "file" : null, "isBySystem" : false, "isPending" : false}}
            access "local all all peer\\n"
            slot a
            standby 10.0.0.9 (walreceiver)
            tablespace /mnt/a b
            password app
            psql:<stdin>:3: ERROR:  no

            """
        let answer = try #require(try ExistingServer.answers(to: [fact], from: output)[fact])
        #expect(answer.listening == .init(port: 5432, socketDirectory: "/var/run/postgresql"))
        #expect(answer.identity?.hasChecksums == false)
        #expect(answer.settings["work_mem"]?.value.equals("4MB") == true)
        #expect(answer.accessFile == "local all all peer\n")
        #expect(answer.tablespaces == ["/mnt/a b"])
        #expect(answer.complaint == "psql:<stdin>:3: ERROR:  no")
        #expect(try ExistingServer.answers(to: [fact], from: "question\n")[fact] == .init())
        #expect(throws: UnreadableAnswer.self) { try ExistingServer.answers(to: [fact], from: "unit x\n") }
        let run = try await ShellRun.of(ExistingServer.script(for: [fact]).reveal())
        #expect(run.output == "question\n")
    }

    @Test("stands in the group 'master'")
    func variable() throws {
        let text = Sample.text().replacing(
            "hosts: { pg2: , pg3: }", with: "hosts: { pg2: { postgresql_exists: true }, pg3: }")
        let faults = try #require(throws: Diagnostics.self) { try Sample.configuration(text) }
        #expect(faults.description.contains("postgresql_exists is true for pg2, which is not in the group 'master'"))
        #expect(try Self.cluster().configuration.existingServer == "pg1")
    }
}
