import Diagnostics
import Engine
import FoundationEssentials
import Inventory
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Monitoring")
struct MonitoringTests {
    private static let text = Sample.text(
        Sample.variables + ["monitoring_install: true", "firewall_enabled_at_boot: true"])

    private static let files: [(path: String, golden: String)] = [
        ("/etc/default/prometheus-node-exporter", "prometheus-node-exporter.env"),
        ("/etc/default/prometheus-postgres-exporter", "prometheus-postgres-exporter.env"),
    ]

    static let templates = files.map(\.golden)

    @Test("what the exporters read", arguments: files)
    func golden(path: String, golden: String) throws {
        let cluster = try Sample.cluster(Self.text)
        let content = try GoldenTests.content(
            of: path, in: cluster.exporters(on: cluster.configuration.members[1].host))
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(golden)")
        #expect(content == expected)
    }

    @Test(
        "an exporter whose server was restarted has lost its connection until it is asked",
        arguments: [(1, true), (2, false)])
    func reaching(refusals: Int, expected: Bool) async throws {
        let cluster = try Sample.cluster(Self.text)
        let resources = try cluster.exporters(on: cluster.configuration.members[0].host)
        let sign = try #require(resources.flatMap(\.questions).compactMap { $0 as? CommandSuccess }.first)
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let asked = "\(directory.path)/asked"
        let run = try await ShellRun.of(
            """
            curl() { echo >>\(asked); echo "pg_up $(( $(wc -l <\(asked)) > \(refusals) ))"; }
            \(CommandSuccess.script(for: [sign]).reveal())
            """)
        #expect(try CommandSuccess.answers(to: [sign], from: run.output) == [sign: expected])
    }

    @Test("nothing of it unless it is asked for")
    func off() throws {
        let cluster = try Sample.cluster()
        let host = cluster.configuration.members[0].host
        #expect(try cluster.exporters(on: host).isEmpty && cluster.withoutExporters(on: host).isEmpty)
        #expect(cluster.monitoringRole.isEmpty && cluster.exporterPackages(of: host).isEmpty)
        #expect(!cluster.accessLines.contains { $0.contains("prometheus") })
        #expect(!cluster.configuration.daemonPorts(of: host).contains { $0.port == 9100 })
    }

    @Test("the exporter logs in over the socket alone, without a password, and is let in by the packet filter")
    func access() throws {
        let cluster = try Sample.cluster(Self.text)
        #expect(
            Array(cluster.accessLines.prefix(3)) == [
                "local all postgres peer", "local postgres prometheus peer", "local all all scram-sha-256",
            ])
        #expect(cluster.packetRules(of: cluster.configuration.members[0].host).contains("9100, 9187"))
        #expect(cluster.monitoringRole.map(\.name) == ["role prometheus", "role prometheus in pg_monitor"])
    }

    @Test("a host that keeps another part keeps the exporter of its own")
    func removal() throws {
        let cluster = try Sample.cluster(Self.text)
        let host = cluster.configuration.members[1].host
        #expect(try cluster.withoutExporters(on: host, keepsHost: true).count == 2)
        #expect(try cluster.withoutExporters(on: host).count == 4)
    }

    @Test(
        "its role is the cluster's own, and its ports are nobody else's",
        arguments: [
            (
                "postgresql_users: [{ name: prometheus }]",
                "the user 'prometheus' is one that the cluster itself logs in as"
            ),
            ("pg_exporter_port: 6432", "PgBouncer and prometheus-postgres-exporter would both listen at port 6432"),
        ])
    func faults(variable: String, fault: String) throws {
        let error = try #require(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + ["monitoring_install: true", variable]))
        }
        #expect(error.description.contains(fault), "\(error)")
    }

    @Test("the connection of the exporter is no use of a member, and another's is")
    func use() throws {
        let statements = try [Self.text, Sample.text()].map { text in
            MemberUse.script(for: [MemberUse(of: try Sample.configuration(text))]).reveal().contains(
                "usename = 'prometheus'")
        }
        #expect(statements == [true, false])
    }

    @Test("Prometheus is told of what there is")
    func targets() throws {
        let named = Sample.text(Sample.variables + ["haproxy_listen_port: { stats: 9000 }"])
        let jobs = try [Self.text, Sample.text(), named].map { text in
            try ScrapeTargets.all(of: Sample.configuration(text)).map {
                "\($0.labels["job"] ?? "") \($0.targets.count)"
            }
        }
        #expect(
            jobs == [
                ["node 3", "postgres 3", "patroni 3", "etcd 3", "haproxy 2"], ["patroni 3", "etcd 3"],
                ["patroni 3", "etcd 3", "haproxy 2"],
            ])
        let first = try #require(ScrapeTargets.all(of: Sample.configuration(Self.text)).first)
        #expect(first.targets == ["10.0.0.1:9100", "10.0.0.2:9100", "10.9.0.3:9100"])
        #expect(first.labels == ["job": "node", "cluster": "demo"])
    }

    @Test("who is asked by TLS is told apart: neither the exporters nor HAProxy", arguments: [true, false])
    func schemes(tls: Bool) throws {
        let targets = ScrapeTargets.all(of: try Sample.configuration(Self.text, tls: tls))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let labels = try targets.map { String(decoding: try encoder.encode($0.labels), as: UTF8.self) }
        let scheme = tls ? #""__scheme__":"https","# : ""
        #expect(
            labels == [
                #"{"cluster":"demo","job":"node"}"#, #"{"cluster":"demo","job":"postgres"}"#,
                #"{\#(scheme)"cluster":"demo","job":"patroni"}"#, #"{\#(scheme)"cluster":"demo","job":"etcd"}"#,
                #"{"cluster":"demo","job":"haproxy"}"#,
            ])
    }

    @Test("a host that goes is named in no packet filter any more")
    func filters() throws {
        let cluster = try Sample.cluster(Self.text)
        let rest = cluster.without(member: "pg3", leavesEtcd: true)
        let host = cluster.configuration.members[0].host
        #expect(cluster.packetRules(of: host).contains("10.9.0.3"))
        #expect(!rest.packetRules(of: host).contains("10.9.0.3"))
        #expect(rest.filteringLeft.hosts.map(\.name) == ["pg1", "pg2"])
    }
}
